import { Button, Menu } from "@mantine/core";
import { download, downloadLink } from "../../../parts/tables/download";
import type { References } from "../../../wire/references";
import type { GraphView } from "./graph";
import type { Positions } from "./layout";
import { svgOf } from "./svg";
import { t } from "../../../words/text";

/** What is shown, to be taken along. */
export function Exports({
  drawn,
  spots,
  graph,
  png,
}: {
  drawn: GraphView;
  spots: Positions | undefined;
  graph: References;
  png: (() => string) | null;
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs">{t`Export`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() => download("references.svg", spots ? svgOf(drawn, spots) : svgOf(drawn), "image/svg+xml")}
        >
          {t`Drawing (SVG)`}
        </Menu.Item>
        {png ? <Menu.Item onClick={() => downloadLink("references.png", png())}>{t`Picture (PNG)`}</Menu.Item> : null}
        <Menu.Item onClick={() => download("references.json", JSON.stringify(graph, null, 2))}>
          {t`All data (JSON)`}
        </Menu.Item>
        <Menu.Item onClick={() => void navigator.clipboard.writeText(graph.nodes.map((node) => node.id).join("\n"))}>
          {t`Copy the names`}
        </Menu.Item>
        <Menu.Item onClick={() => void navigator.clipboard.writeText(location.href)}>
          {t`Copy the link to this view`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
