import { Link } from "react-router";
import { Card } from "../../../parts/Page";
import { Shape } from "../../../parts/Shape";
import { Loaded } from "../../../parts/states";
import { useDeletionCheck } from "./deletion";
import { worded } from "../../../words/server";
import { t } from "../../../words/text";

export const tones = { safe: "ok", blocked: "bad", unknown: "unknown" } as const;

/** The deletion check in one sentence, with the way to the whole of it. */
export function DeletionVerdict({ name }: { name: string }) {
  const check = useDeletionCheck(name);
  return (
    <Card title={t`Deletion check`}>
      <Loaded of={check} lines={2}>
        {(data) => (
          <>
            <p className={`sentence ink-${tones[data.verdict]}`}>
              <Shape tone={tones[data.verdict]} size={18} /> {worded(data.sentence, data.phrases)}
            </p>
            <p className="small">
              <Link to={`/refs/deletion?name=${encodeURIComponent(name)}`}>{t`Full deletion check`}</Link>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  );
}
