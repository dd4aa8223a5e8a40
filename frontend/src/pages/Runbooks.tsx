import { useEffect, type ReactNode } from "react";
import { useLocation } from "react-router";
import text from "../../../docs/how-to/runbooks.md?raw";
import { componentName } from "../parts/componentNames";
import { Card, Page } from "../parts/Page";
import { t } from "../words/text";

export interface Runbook {
  /** The component it is for, which is its anchor too. */
  name: string;
  sentences: string[];
  steps: string[];
}

const joined = (lines: string): string => lines.replace(/\s+/g, " ").trim();

/** The runbooks of docs/how-to/runbooks.md: under each heading paragraphs, then numbered steps. */
export function runbooks(page: string): Runbook[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const at = part.indexOf("\n");
      const [before = "", ...steps] = part.slice(at).split(/^\d+\. /m);
      return {
        name: part.slice(0, at).trim(),
        sentences: before.split(/\n\n+/).map(joined).filter(Boolean),
        steps: steps.map(joined),
      };
    });
}

/** Where the documentation that this server serves has a page that a runbook refers to. */
function documented(link: string): string {
  const { pathname, hash } = new URL(link, "http://docs/docs/how-to/runbooks.md");
  return `${pathname.replace(/\.md$/, "/")}${hash}`;
}

function piece(part: string, at: number): ReactNode {
  const [, words, link] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
  if (words && link)
    return (
      <a key={at} className="in-text" href={documented(link)}>
        {words}
      </a>
    );
  if (part.startsWith("`")) return <code key={at}>{part.slice(1, -1)}</code>;
  return part.startsWith("*") && part.length > 2 ? <b key={at}>{part.slice(1, -1)}</b> : part;
}

/** Words between back ticks are code, words between stars stand out, and links lead to the documentation. */
export function marked(line: string): ReactNode[] {
  return line.split(/(`[^`]+`|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).map(piece);
}

export function RunbooksPage() {
  const { hash } = useLocation();
  useEffect(() => {
    const there = hash ? document.getElementById(hash.slice(1)) : null;
    there?.scrollIntoView();
    there?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <Page title={t`Runbooks`} under={[{ title: t`System health`, to: "/health" }]}>
      <p>{t`Diagnosis and remedies for each component.`}</p>
      {runbooks(text).map((book) => (
        <section
          key={book.name}
          id={book.name}
          className="break"
          translate="no"
          tabIndex={-1}
          aria-label={componentName(book.name)}
        >
          <Card title={componentName(book.name)} aside={<code>{book.name}</code>}>
            {book.sentences.map((line) => (
              <p key={line}>{marked(line)}</p>
            ))}
            <ol>
              {book.steps.map((line) => (
                <li key={line}>{marked(line)}</li>
              ))}
            </ol>
          </Card>
        </section>
      ))}
    </Page>
  );
}
