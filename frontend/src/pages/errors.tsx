import { Button } from "@mantine/core";
import { useEffect } from "react";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import { Card, Page } from "../parts/Page";
import { Shape } from "../parts/Shape";
import { places } from "../shell/navigation";
import { rich, t } from "../words/text";

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The pages whose name is one or two slips of the finger from what was asked for, or begins like it. */
export function near(path: string, known: readonly string[]): string[] {
  const target = path.split("/").filter(Boolean).at(0)?.toLowerCase() ?? "";
  if (target === "") return [];
  const name = (to: string): string => to.split("/").filter(Boolean).at(-1) ?? "";
  return known.filter(
    (each) =>
      name(each) !== "" &&
      (distance(name(each), target) <= 2 || (target.length > 1 && name(each).startsWith(target.slice(0, 3)))),
  );
}

export function NotFound() {
  const here = useLocation().pathname;
  const close = near(
    here,
    places.map((place) => place.to),
  );
  return (
    <Page title={t`No such page`}>
      <Card>
        <p>{rich`${(<code>{here}</code>)} is not a page of this console. Check the address.`}</p>
        {close.length ? (
          <p>
            {t`Did you mean`}{" "}
            {close.map((to) => (
              <Link key={to} to={to}>
                {to}
              </Link>
            ))}
            ?
          </p>
        ) : null}
        <p>{rich`Search with ${(<kbd>Ctrl K</kbd>)}, or go to the ${(<Link to="/">{t`home page`}</Link>)}.`}</p>
      </Card>
    </Page>
  );
}

/** A page whose code could not be fetched: a newer console was installed meanwhile, or nobody answers. */
export function Unfetched() {
  return (
    <Page title={t`This page could not be loaded`}>
      <Card>
        <p>
          {t`Its code could not be loaded: a newer version of the console was installed, or the server does
          not answer. Reload the page; you stay signed in.`}
        </p>
        <div className="row">
          <Button variant="filled" onClick={() => location.reload()}>
            {t`Reload`}
          </Button>
        </div>
      </Card>
    </Page>
  );
}

/** A page that broke. */
export function Broken() {
  const error = useRouteError();
  const text = isRouteErrorResponse(error) ? error.statusText : error instanceof Error ? error.message : String(error);
  useEffect(() => {
    document.title = t`Page error · Switchyard`;
  }, []);
  return (
    <main className="sign-in">
      <section className="card problem" role="alert">
        <div className="row">
          <Shape tone="bad" size={20} />
          <h1>{t`This page failed`}</h1>
        </div>
        <p>{text}</p>
        <div className="row">
          <Button variant="filled" onClick={() => location.reload()}>
            {t`Reload`}
          </Button>
          <Button component="a" href="/">
            {t`Home`}
          </Button>
        </div>
      </section>
    </main>
  );
}
