import text from "../../../../docs/how-to/change-an-api-version.md?raw";
import { parts } from "../../words/page";
import { Card, Page } from "../../parts/Page";
import { marked } from "../Runbooks";
import { worded } from "../../words/server";
import { t } from "../../words/text";

export function HowToPage() {
  return (
    <Page title={t`Describe a new API version`} under={[{ title: t`Versions`, to: "/versions" }]}>
      <Card title={t`How versions and their conversions are written`}>
        <div className="break">
          {parts(text).map((part) =>
            typeof part === "string" ? (
              <p key={part}>{marked(worded(part))}</p>
            ) : (
              <ol key={part[0]}>
                {part.map((step) => (
                  <li key={step}>{marked(worded(step))}</li>
                ))}
              </ol>
            ),
          )}
        </div>
      </Card>
    </Page>
  );
}
