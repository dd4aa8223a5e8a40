import { Link } from "react-router";
import { useAccount } from "../../api/queries";
import { Card, Page } from "../../parts/Page";
import { EmailNotifications } from "./EmailNotifications";
import { Passkeys } from "./Passkeys";
import { Password } from "./Password";
import { SecondFactor } from "./SecondFactor";
import { ShownZone } from "./ShownZone";
import { Sessions } from "./Sessions";
import "./account.css";
import { rich, t } from "../../words/text";

/** What a person keeps of their own: the password, passkeys, the second factor, and the way to their tokens. */
export function AccountPage() {
  const account = useAccount();
  return (
    <Page title={t`Your account`}>
      <Card title={account?.name}>
        <p>
          {account?.email ? `${account.email} · ` : ""}
          {account?.roles.length ? account.roles.join(", ") : t`no role yet`}
        </p>
        {account?.reach?.length ? (
          <p>
            {rich`Lists, counts and streams show only ${(<span className="mono">{account.reach.join(", ")}</span>)}
            (service @ region).`}
          </p>
        ) : null}
        <p className="muted">{rich`Your tokens are under ${(<Link to="/settings/access">{t`Access`}</Link>)}.`}</p>
      </Card>
      <ShownZone />
      <Password />
      <Passkeys />
      <SecondFactor />
      <EmailNotifications />
      <Sessions />
    </Page>
  );
}
