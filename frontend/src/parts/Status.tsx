import { Shape, type Tone } from "./Shape";
import type { Word } from "./status";
import { t } from "../words/text";

export function Status({ of, size }: { of: Word; size?: number }) {
  return (
    <span className={`status ink-${of.tone}`}>
      <Shape tone={of.tone} {...(size ? { size } : {})} />
      <span>{of.word}</span>
    </span>
  );
}

export function Pill({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={`pill soft-${tone}`}>
      <Shape tone={tone} size={13} />
      {children}
    </span>
  );
}

/** The old version is violet and the new one teal on every page; the word is always there too. */
export function Version({ of, as }: { of: string | null | undefined; as?: "old" | "new" }) {
  if (!of) return <span className="muted">{t`none`}</span>;
  return <span className={`version ${as ?? ""}`}>{of}</span>;
}

/** From one version to another; alone, the newest version is teal too. */
export function Versions({ from, to, newest }: { from: string; to: string | null | undefined; newest?: string }) {
  return (
    <span className="versions">
      <Version of={from} as={to === from || from === newest ? "new" : "old"} />
      {to && to !== from ? (
        <>
          <span className="muted" aria-hidden="true">
            →
          </span>
          <span className="unseen">{t`to`}</span>
          <Version of={to} as={from === newest ? "old" : "new"} />
        </>
      ) : null}
    </span>
  );
}
