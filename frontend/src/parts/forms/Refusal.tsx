import { detailOf, problemFrom } from "../../api/problem";
import { worded } from "../../words/server";
import { Shape } from "../Shape";

/** Why the server would not, beside the button that asked it. */
export function Refusal({ error }: { error: unknown }) {
  const problem = problemFrom(error);
  return (
    <div className="notice soft-bad" role="alert">
      <Shape tone="bad" />
      <span>
        {detailOf(problem) || problem.title} {problem.remedy ? worded(problem.remedy, problem.remedy_phrases) : ""}
      </span>
    </div>
  );
}
