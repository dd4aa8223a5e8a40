import { Button } from "@mantine/core";
import { Link } from "react-router";
import { Card } from "../../parts/Page";
import { useStore } from "../../state/store";
import { place } from "./Parts";
import { recent, starred } from "./recent";
import { rich, t } from "../../words/text";

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Card title={title}>
      <ul className="plain-list">
        {names.map((id) => {
          const at = place(id);
          return (
            <li key={id} className="break">
              <Link to={`/refs?name=${encodeURIComponent(id)}`}>{at.name}</Link>{" "}
              <span className="small muted">
                {at.service} @ {at.region}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

export function Start() {
  const [lately, kept] = [useStore(recent), useStore(starred)];
  return (
    <>
      <p className="muted">
        {rich`Enter a resource name to see its references across services, regions and versions.
        Before a deletion, the ${(<Link to="/refs/deletion">{t`deletion check`}</Link>)} lists the blockers.`}
      </p>
      <div className="row">
        <Button component={Link} to="/resources">
          {t`Search resources`}
        </Button>
        <span className="small muted">{t`Each resource has a link to its references there.`}</span>
      </div>
      <div className="halves">
        <Names title={t`Starred`} names={kept} />
        <Names title={t`Recent`} names={lately.filter((each) => !kept.includes(each))} />
      </div>
    </>
  );
}
