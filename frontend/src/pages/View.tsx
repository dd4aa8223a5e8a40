import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { read } from "../api/client";
import { Page } from "../parts/Page";
import { Loaded } from "../parts/states";
import { places } from "../shell/navigation";
import { t } from "../words/text";

/** A saved view by its name: opens its page as the view shows it, or says that it was forgotten and who did. */
export function ViewPage() {
  const { page = "", name = "" } = useParams();
  const result = useQuery({
    queryKey: ["views", page, name],
    queryFn: ({ signal }) => read("/views/{page}/{name}", { path: { page, name }, signal }),
  });
  const list = places.find((place) => place.to === `/${page}`);
  return (
    <Page title={name} under={list ? [{ title: list.title, to: list.to }] : []} heading={t`View ${name}`}>
      <Loaded of={result}>{(view) => <Navigate replace to={{ pathname: `/${page}`, search: view.query }} />}</Loaded>
    </Page>
  );
}
