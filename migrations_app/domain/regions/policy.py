"""The multi-region policy: where a holder's resources live and which regions keep read copies."""

from __future__ import annotations

from typing import Annotated

import msgspec

Text = Annotated[str, msgspec.Meta(max_length=1024)]


class DisabledSync(
    msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """One way in which resources are not copied; an empty field stands for every value."""

    resource_type_name: Text = ""
    source_region: Text = ""
    dest_region: Text = ""

    def covers(self, resource_type: str, source: str, destination: str) -> bool:
        """Tell whether copying this type from `source` to `destination` is switched off."""
        return (
            self.resource_type_name in ("", resource_type)
            and self.source_region in ("", source)
            and self.dest_region in ("", destination)
        )


class MultiRegionPolicy(
    msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """Regions a policy holder is enabled in, the one in charge, and what is not copied.

    Source: seed 003 §1.4.
    """

    enabled_regions: tuple[Text, ...] = ()
    default_control_region: Text = ""
    criteria_for_disabled_sync: tuple[DisabledSync, ...] = ()

    def copies(self, resource_type: str, source: str) -> tuple[str, ...]:
        """List the regions that hold a read copy of what `source` owns, in order of name."""
        return tuple(
            sorted(
                region
                for region in set(self.enabled_regions) - {source}
                if not any(
                    one.covers(resource_type, source, region) for one in self.criteria_for_disabled_sync
                )
            )
        )

    def joined_by(self, region: str) -> MultiRegionPolicy:
        """Enable one more region; the first becomes the control region."""
        if region in self.enabled_regions and self.default_control_region:
            return self
        return msgspec.structs.replace(
            self,
            enabled_regions=tuple(sorted({*self.enabled_regions, region})),
            default_control_region=self.default_control_region or region,
        )
