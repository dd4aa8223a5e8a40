import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { read } from "../../api/client";
import { rich } from "../../words/text";
import { workTitle } from "./workNames";

/** An upgrade by its deployment and its versions; by its id until they are known. */
function UpgradeName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ["upgrade", id],
    queryFn: ({ signal }) => read("/upgrades/{id}", { path: { id }, signal }),
  });
  return (
    <Link to={`/upgrades/${id}`}>
      {data
        ? rich`Upgrade of ${data.service} @ ${data.region}, ${data.from_version} to ${data.to_version}`
        : rich`Upgrade ${id}`}
    </Link>
  );
}

/** A key of work in words; one of an unknown kind is shown as it is. */
export function WorkName({ of }: { of: { controller: string; key: string } }) {
  const title = workTitle(of);
  if (!title) return <span className="mono">{of.key}</span>;
  if (title.upgrade)
    return (
      <>
        <UpgradeName id={title.upgrade} />: {title.text}
      </>
    );
  return title.to ? <Link to={title.to}>{title.text}</Link> : <>{title.text}</>;
}
