import { Button } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { useAccount } from "../../api/queries";
import { ActionButton, MAY_PLAN, permitted } from "../../parts/ActionButton";
import { Card } from "../../parts/Page";
import { Empty } from "../../parts/states";
import type { Fleet } from "../../wire/model";
import { useSelection } from "../fleet/selection";
import { HeatView } from "./HeatView";
import { plural, rich, t } from "../../words/text";

/** The page that plans what is selected: one deployment, or several in waves; with the version, where it is chosen. */
export function planAddress(names: readonly string[], version = ""): string {
  const target = version ? { target: version } : undefined;
  return names.length === 1
    ? `/upgrades/new?${new URLSearchParams({ deployment: names[0] ?? "", ...target }).toString()}`
    : `/rollouts/new?${new URLSearchParams({ deployments: names.join(","), ...target }).toString()}`;
}

/** The whole fleet in one picture; what is selected in it is planned from here. */
export function FleetCard({ fleet }: { fleet: Fleet }) {
  const navigate = useNavigate();
  const permissions = useAccount()?.permissions ?? [];
  const selection = useSelection();
  const { clear } = selection;
  const chosen = [...selection.selected];
  if (fleet.cells.length === 0)
    return (
      <Card title={t`Fleet`}>
        <Empty title={t`No deployments are registered.`} command="swy deployment apply SERVICE REGION">
          {t`A deployment is one service in one region; it registers itself when it starts.`}
        </Empty>
      </Card>
    );
  return (
    <Card
      className="fleet-card"
      title={t`Fleet`}
      aside={
        <span>
          {rich`${plural(fleet.services.length, "# service", "# services")} × ${plural(fleet.regions.length, "# region", "# regions")}
            · ${plural(fleet.cells.length, "# deployment", "# deployments")} · ${(<Link to="/fleet">{t`Matrix`}</Link>)} ·`}{" "}
          <Link to="/fleet?view=table">{t`Table`}</Link>
        </span>
      }
    >
      <HeatView fleet={fleet} selection={selection}>
        <span className="grow" />
        <span role="status" className="small muted">
          {chosen.length ? t`${chosen.length} selected` : ""}
        </span>
        {chosen.length ? (
          <Button size="xs" variant="subtle" onClick={clear}>
            {t`Clear`}
          </Button>
        ) : null}
        {chosen.length ? (
          <ActionButton
            of={permitted(permissions, "upgrade.plan", MAY_PLAN)}
            primary
            onAct={() => void navigate(planAddress(chosen))}
          >
            {rich`Plan from selection (${chosen.length})`}
          </ActionButton>
        ) : null}
      </HeatView>
    </Card>
  );
}
