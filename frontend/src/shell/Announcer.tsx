import { polite, urgent } from "../state/announcements";
import { useStore } from "../state/store";

/** The places that screen readers read from when their text changes. */
export function Announcer() {
  return (
    <>
      <div className="unseen" role="status" aria-live="polite">
        {useStore(polite)}
      </div>
      <div className="unseen" role="alert">
        {useStore(urgent)}
      </div>
    </>
  );
}
