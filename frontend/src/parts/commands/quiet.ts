/** Dry runs and sign-ins are hidden unless the address says otherwise, or one request or outcome is asked for. */
export function isQuiet({ quiet, request_id: request, outcome }: Record<"quiet" | "request_id" | "outcome", string>) {
  return quiet ? quiet === "true" : !request && !outcome;
}
