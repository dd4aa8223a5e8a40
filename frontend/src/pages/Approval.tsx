import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation, useParams } from "react-router";
import { read } from "../api/client";
import { Page } from "../parts/Page";
import { Loaded } from "../parts/states";
import { t } from "../words/text";
import { requestAddress } from "./approval/words";

/** A request for approval is decided on the run sheet of its upgrade: links to the request lead there. */
export function ApprovalPage() {
  const { id = "" } = useParams();
  const state: unknown = useLocation().state;
  const approval = useQuery({
    queryKey: ["approval", id],
    queryFn: ({ signal }) => read("/approvals/{id}", { path: { id }, signal }),
  });
  return approval.data ? (
    <Navigate replace to={requestAddress(approval.data)} state={state} />
  ) : (
    <Page title={t`Approval`} under={[{ title: t`Approvals`, to: "/approvals" }]}>
      <Loaded of={approval} lines={8}>
        {() => null}
      </Loaded>
    </Page>
  );
}
