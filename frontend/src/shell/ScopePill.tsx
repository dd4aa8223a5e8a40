import { Link } from "react-router";
import { useAccount } from "../api/queries";
import { rich, t } from "../words/text";

/** Whoever is shown only a part reads on every page which part that is, or a count would seem to be of everything. */
export function ScopePill() {
  const reach = useAccount()?.reach ?? [];
  if (reach.length === 0) return null;
  const said = reach.join(", ");
  return (
    <Link
      to="/account"
      className="pill soft-plain reach"
      title={t`Your roles are limited to ${said}. Lists, counts and streams show nothing else.`}
    >
      {rich`Shown: ${said}`}
    </Link>
  );
}
