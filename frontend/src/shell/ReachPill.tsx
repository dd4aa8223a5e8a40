import { Link } from "react-router";
import { useAccount } from "../api/queries";

/** Whoever is shown only a part reads on every page which part that is, or a count would seem to be of everything. */
export function ReachPill() {
  const reach = useAccount()?.reach ?? [];
  if (reach.length === 0) return null;
  const said = reach.join(", ");
  return (
    <Link
      to="/account"
      className="pill soft-plain reach"
      title={`Your roles reach ${said}: lists, counts and streams leave out the rest.`}
    >
      Shown: {said}
    </Link>
  );
}
