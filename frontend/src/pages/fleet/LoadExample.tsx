import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "../../api/client";
import { useAccount } from "../../api/queries";
import { ProblemPanel } from "../../parts/states";
import { t } from "../../words/text";

/** Register the fleet of the examples, so that there is something to look at. */
export function LoadExample() {
  const cache = useQueryClient();
  // Only an administrator makes regions.
  const may = useAccount()?.roles.includes("admin") ?? false;
  const load = useMutation({
    mutationFn: () => write.post("/fleet/example"),
    onSettled: () => void cache.invalidateQueries(),
  });
  if (!may) return null;
  return (
    <div className="stack">
      <Button variant="filled" loading={load.isPending} onClick={() => load.mutate()}>
        {t`Load the example fleet`}
      </Button>
      {load.isError ? <ProblemPanel error={load.error} /> : null}
    </div>
  );
}
