import type { Problem } from "../wire/model";
import { worded } from "../words/server";
import { t } from "../words/text";

/** What a failed request throws: the server's problem, or our own words when no server answered. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }
}

export function unreachable(): ApiError {
  return new ApiError({
    title: t`The console cannot reach its server`,
    status: 0,
    detail: t`The request did not arrive. The page keeps the last data it received and retries automatically.`,
    code: "unreachable",
  });
}

export async function problemOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("X-Request-Id") ?? undefined;
  const fallback: Problem = {
    title: response.statusText || t`The server answered ${response.status}`,
    status: response.status,
    ...(requestId ? { request_id: requestId } : {}),
  };
  if (!(response.headers.get("Content-Type") ?? "").includes("json")) return new ApiError(fallback);
  try {
    const body = (await response.json()) as Partial<Problem>;
    return new ApiError({ ...fallback, ...body, status: response.status });
  } catch {
    return new ApiError(fallback);
  }
}

export function problemFrom(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return {
    title: t`Something went wrong in this page`,
    status: 0,
    detail: error instanceof Error ? error.message : String(error),
  };
}

/** What is wrong, in the language of the console; `detail` ends with the remedy, which is shown beside it. */
export function detailOf({ detail = "", remedy, phrases }: Problem): string {
  if (phrases?.length) return worded(detail, phrases);
  return remedy && detail.endsWith(remedy) ? detail.slice(0, -remedy.length).trimEnd() : detail;
}

/** A problem in one line: what is wrong, and what mends it. */
export function problemText(problem: Problem): string {
  const { title, remedy, remedy_phrases: phrases } = problem;
  return [detailOf(problem) || worded(title), remedy ? worded(remedy, phrases) : ""].filter(Boolean).join(" ");
}
