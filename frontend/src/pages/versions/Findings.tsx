import { useEffect } from "react";
import { useLocation } from "react-router";
import { Copy } from "../../parts/Copy";
import { Scroll } from "../../parts/Scroll";
import { Shape } from "../../parts/Shape";
import { Empty } from "../../parts/states";
import { anchor, byWeight, type Finding, kept, type Loss, type Report, weights } from "./report";
import { Transform } from "./Transform";
import { Acceptance } from "./Waivers";
import { rich, t } from "../../words/text";

export function Findings({ of, label }: { of: readonly Finding[]; label: string }) {
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looked for it before there were rows.
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView?.({ block: "center" });
  }, [hash]);
  return (
    <Scroll label={label}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Severity`}</th>
            <th scope="col">{t`Where`}</th>
            <th scope="col">{t`Finding`}</th>
            <th scope="col">{t`Upgrade order`}</th>
            <th scope="col">{t`Remedy`}</th>
            <th scope="col">
              <span className="unseen">{t`Link`}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {byWeight(of).map((each) => (
            <tr
              key={`${anchor(each)} ${each.after}`}
              id={anchor(each)}
              className={hash === `#${anchor(each)}` ? "meant" : ""}
            >
              <td className="nowrap">
                <Shape tone={each.handled ? "ok" : weights[each.weight].tone} />{" "}
                {each.handled ? t`handled` : weights[each.weight].word}
              </td>
              <th scope="row" className="place">
                <span className="mono break">{each.path}</span>
                <div className="small muted">{each.where}</div>
              </th>
              <td>
                {each.rule.replaceAll("-", " ")}
                <div className="small muted">
                  {each.classes.join(", ")}
                  {each.buf.length ? t`; Buf ${each.buf.join(", ")}` : ""}
                </div>
                <div className="small muted">
                  {[
                    each.before || each.after ? `${each.before || t`nothing`} → ${each.after || t`nothing`}` : "",
                    ...each.reasons,
                  ]
                    .filter(Boolean)
                    .join("; ")}
                </div>
              </td>
              <td>{each.order}</td>
              <td>
                {each.advice}
                {each.losing_updates.length ? (
                  <div className="small muted">{rich`Lost by ${each.losing_updates.join(", ")}`}</div>
                ) : null}
                <Transform of={each} />
              </td>
              <td>
                <Copy
                  value={`${location.origin}${location.pathname}${location.search}#${anchor(each)}`}
                  what={t`a link to this finding`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function Losses({ report, of, label }: { report: Report; of: readonly Loss[]; label: string }) {
  if (of.length === 0) return <Empty title={t`No hidden fields: both versions hold the same data.`} />;
  return (
    <Scroll label={label}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Field`}</th>
            <th scope="col">{t`Direction`}</th>
            <th scope="col">{t`By`}</th>
            <th scope="col">{t`Value`}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((each) => (
            <tr key={`${each.way} ${each.path} ${each.op}`}>
              <th scope="row" className="mono break">
                {each.path}
              </th>
              <td className="nowrap">{each.way}</td>
              <td>{each.op}</td>
              <td>
                <Shape tone={each.kept === "no" ? "bad" : each.kept === "hidden" ? "wait" : "ok"} size={13} />{" "}
                {kept[each.kept]}
                {"waiver" in each ? (
                  <Acceptance
                    of={report}
                    place={{ rule: `loss-${each.kept}`, path: each.path, where: each.way }}
                    waiver={each.waiver ?? null}
                  />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
