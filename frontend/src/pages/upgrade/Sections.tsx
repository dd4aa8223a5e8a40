import { useKeys } from "../../parts/keyboard/keys";
import { t } from "../../words/text";

const sections = [
  { id: "shards", title: t`Shards` },
  { id: "curves", title: t`Charts` },
  { id: "data", title: t`Data` },
  { id: "timeline", title: t`Timeline` },
  { id: "gate", title: t`Readiness` },
] as const;

/** Bring a part of the page to the top, and the focus to it. */
export function go(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: "start" });
  target?.focus({ preventScroll: true });
}

/** The parts of a long page, one key each: nothing is hidden, so nothing is missed. */
export function Sections() {
  useKeys(Object.fromEntries(sections.map(({ id }, at) => [String(at + 1), () => go(id)])));
  return (
    <nav className="sections small" aria-label={t`Parts of this page`}>
      {sections.map(({ id, title }, at) => (
        <a
          key={id}
          href={`#${id}`}
          onClick={(event) => {
            event.preventDefault();
            go(id);
          }}
        >
          <kbd aria-hidden="true">{at + 1}</kbd> {title}
        </a>
      ))}
    </nav>
  );
}
