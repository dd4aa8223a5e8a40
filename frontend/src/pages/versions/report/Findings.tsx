import { useEffect } from "react";
import { useLocation } from "react-router";
import { Copy } from "../../../parts/Copy";
import { Shape } from "../../../parts/Shape";
import { Empty } from "../../../parts/states";
import { DataTable } from "../../../parts/tables/DataTable";
import {
  anchor,
  byWeight,
  changeText,
  classNames,
  type Finding,
  kept,
  type Loss,
  orderWords,
  type Report,
  ruleText,
  updateWords,
  weights,
  whereWords,
} from "./report";
import { Transform } from "./Transform";
import { Acceptance } from "../Waivers";
import { worded } from "../../../words/server";
import { rich, t } from "../../../words/text";

export function Findings({ of, label }: { of: readonly Finding[]; label: string }) {
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looked for it before there were rows.
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView?.({ block: "center" });
  }, [hash]);
  return (
    <DataTable
      label={label}
      rows={byWeight(of)}
      rowKey={(each) => `${anchor(each)} ${each.after}`}
      rowId={(each) => anchor(each)}
      rowClass={(each) => (hash === `#${anchor(each)}` ? "meant" : "")}
      columns={[
        {
          header: t`Severity`,
          className: "nowrap",
          cell: (each) => (
            <>
              <Shape tone={each.handled ? "ok" : weights[each.weight].tone} />{" "}
              {each.handled ? t`handled` : weights[each.weight].word}
            </>
          ),
        },
        {
          header: t`Where`,
          isRowHeader: true,
          className: "place",
          cell: (each) => (
            <>
              <span className="mono break">{each.path}</span>
              <div className="small muted">{whereWords[each.where] ?? each.where}</div>
            </>
          ),
        },
        {
          header: t`Finding`,
          cell: (each) => (
            <>
              {ruleText(each.rule)}
              <div className="small muted">
                {each.classes.map((one) => classNames[one] ?? one).join(", ")}
                {each.buf.length ? t`; Buf ${each.buf.join(", ")}` : ""}
              </div>
              <div className="small muted">
                {[changeText(each), ...each.reasons.map((reason, at) => worded(reason, each.reason_phrases?.[at]))]
                  .filter(Boolean)
                  .join("; ")}
              </div>
            </>
          ),
        },
        { header: t`Upgrade order`, cell: (each) => orderWords[each.order] ?? each.order },
        {
          header: t`Remedy`,
          cell: (each) => (
            <>
              {worded(each.advice)}
              {each.losing_updates.length ? (
                <div className="small muted">{rich`Lost by ${each.losing_updates.map((one) => updateWords[one] ?? one).join(", ")}`}</div>
              ) : null}
              <Transform of={each} />
            </>
          ),
        },
        {
          header: t`Link`,
          isHeaderUnseen: true,
          cell: (each) => (
            <Copy
              value={`${location.origin}${location.pathname}${location.search}#${anchor(each)}`}
              what={t`a link to this finding`}
            />
          ),
        },
      ]}
    />
  );
}

export function Losses({ report, of, label }: { report: Report; of: readonly Loss[]; label: string }) {
  if (of.length === 0) return <Empty title={t`No hidden fields: both versions hold the same data.`} />;
  return (
    <DataTable
      label={label}
      rows={of}
      rowKey={(each) => `${each.way} ${each.path} ${each.op}`}
      columns={[
        { header: t`Field`, isRowHeader: true, className: "mono break", cell: (each) => each.path },
        { header: t`Direction`, className: "nowrap", cell: (each) => each.way },
        { header: t`By`, className: "mono", cell: (each) => each.op },
        {
          header: t`Value`,
          cell: (each) => (
            <>
              <Shape tone={each.kept === "no" ? "bad" : each.kept === "hidden" ? "wait" : "ok"} size={13} />{" "}
              {kept[each.kept]}
              {"waiver" in each && (each.kept === "no" || each.kept === "hidden") ? (
                <Acceptance
                  of={report}
                  place={{ rule: `loss-${each.kept}`, path: each.path, where: each.way }}
                  waiver={each.waiver ?? null}
                />
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}
