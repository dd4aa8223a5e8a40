import { problemFrom } from "../api/problem";
import { Shape } from "./Shape";

/** Why the server would not, beside the button that asked it. */
export function Refusal({ error }: { error: unknown }) {
  const problem = problemFrom(error);
  return (
    <div className="notice soft-bad" role="alert">
      <Shape tone="bad" />
      <span>
        {problem.detail || problem.title} {problem.remedy}
      </span>
    </div>
  );
}
