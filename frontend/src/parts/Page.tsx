import { Fragment, useEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { CopyPageAs } from "./commands/CopyAs";
import { createStore, useStore } from "../state/store";
import { t } from "../words/text";

export interface Crumb {
  title: string;
  to?: string;
}

const crumbs = createStore<Crumb[]>([]);

/** The page above the one that is open: the list of which it shows one. */
export function useParentPage(): { title: string; to: string } | null {
  const above = useStore(crumbs).findLast((part) => part.to);
  return above?.to ? { title: above.title, to: above.to } : null;
}

export function Breadcrumb() {
  const parts = useStore(crumbs);
  return (
    <nav aria-label={t`Breadcrumb`} className="crumbs">
      {parts.map((part, at) => (
        <Fragment key={part.title}>
          {at > 0 ? <span aria-hidden="true"> / </span> : null}
          {part.to ? <Link to={part.to}>{part.title}</Link> : <b aria-current="page">{part.title}</b>}
        </Fragment>
      ))}
    </nav>
  );
}

/** A page: its title in the tab, its breadcrumb in the bar, and its heading focused when it opens. */
export function Page({
  title,
  under,
  heading,
  actions,
  children,
}: {
  title: string;
  under?: Crumb[];
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const top = useRef<HTMLHeadingElement>(null);
  const above = JSON.stringify(under ?? []);
  useEffect(() => {
    document.title = `${title} · Switchyard`;
    crumbs.set([...(JSON.parse(above) as Crumb[]), { title }]);
  }, [title, above]);
  useEffect(() => {
    // Focus moves only after a navigation inside the console; the first page belongs to the browser.
    if (document.activeElement !== document.body || history.state?.idx > 0) top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div className="row between page-head">
        <h1 ref={top} tabIndex={-1}>
          {heading ?? title}
        </h1>
        <div className="row">
          {actions}
          <span className="wide-only">
            <CopyPageAs />
          </span>
        </div>
      </div>
      {children}
    </>
  );
}

export function Card({
  id,
  title,
  aside,
  children,
  className = "",
}: {
  /** Where a list of contents leads. */
  id?: string;
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`card ${className}`} {...(id ? { id } : {})}>
      {title ? (
        <div className="row between card-head">
          <h2>{title}</h2>
          {aside ? <div className="row small muted">{aside}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
