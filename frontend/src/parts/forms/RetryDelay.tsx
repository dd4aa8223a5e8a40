import { useEffect, useState } from "react";
import { ApiError } from "../../api/problem";
import { Shape } from "../Shape";
import { t } from "../../words/text";

/** Seconds until the same may be tried again, counted down; 0 when nothing has to wait. */
export function useRetryDelay(error: unknown): number {
  const announced =
    error instanceof ApiError && (error.status === 429 || error.status === 503)
      ? Math.ceil(error.problem.retry_after ?? 0)
      : 0;
  const [left, setLeft] = useState(0);
  useEffect(() => {
    setLeft(announced);
    if (!announced) return undefined;
    const until = Date.now() + announced * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [error, announced]);
  return left;
}

/** Says how long to wait; read out once, not every second. */
export function RetryDelay({ seconds }: { seconds: number }) {
  if (seconds <= 0) return null;
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <div className="notice soft-wait" role="status">
      <Shape tone="wait" />
      <span>
        {t`Too many attempts. Try again in`}{" "}
        <span role="timer" aria-live="off">
          {clock}
        </span>
        .
      </span>
    </div>
  );
}
