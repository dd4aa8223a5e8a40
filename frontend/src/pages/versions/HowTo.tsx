import text from "../../../../docs/how-to/change-an-api-version.md?raw";
import { Card, Page } from "../../parts/Page";
import { marked } from "../Runbooks";
import { t } from "../../words/text";

/** A how-to page in its parts: paragraphs and lists of steps, links as the words they stand under. */
export function parts(page: string): (string | string[])[] {
  return page
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "*$1*")
    .split(/\n\n+/)
    .slice(1)
    .map((part) => {
      const steps = part
        .split(/^\d+\. /m)
        .map((line) => line.replace(/\s+/g, " ").trim())
        .filter(Boolean);
      return /^\d+\. /.test(part) ? steps : (steps[0] ?? "");
    });
}

export function HowToPage() {
  return (
    <Page title={t`Describe a new API version`} under={[{ title: t`Versions`, to: "/versions" }]}>
      <Card title={t`How versions and their conversions are written`}>
        <div className="break">
          {parts(text).map((part) =>
            typeof part === "string" ? (
              <p key={part}>{marked(part)}</p>
            ) : (
              <ol key={part[0]}>
                {part.map((step) => (
                  <li key={step}>{marked(step)}</li>
                ))}
              </ol>
            ),
          )}
        </div>
      </Card>
    </Page>
  );
}
