import { Card } from "../../parts/Page";
import { Scroll } from "../../parts/Scroll";
import { useStore } from "../../state/store";
import { clockText, dateText, stampText, type Zone, zone, zoneName } from "../../time/clock";
import type { WindowRule } from "../../wire/model";
import { locale } from "../../words/language";
import { rich, t } from "../../words/text";

const DAY_MS = 86_400_000;
const DAYS = 7;

export interface Bar {
  left: number;
  width: number;
  opens: number;
  closes: number;
}

/** Where a rule's openings lie in the week that begins at `start`, in percent of it. */
export function bars(next: WindowRule["next"], start: number): Bar[] {
  const end = start + DAYS * DAY_MS;
  return next.flatMap((each) => {
    const opens = Date.parse(each.opens);
    const closes = Date.parse(each.closes);
    if (closes <= start || opens >= end) return [];
    const left = Math.max(opens, start);
    return [
      {
        left: (100 * (left - start)) / (end - start),
        width: Math.max(0.6, (100 * (Math.min(closes, end) - left)) / (end - start)),
        opens,
        closes,
      },
    ];
  });
}

/** Milliseconds since midnight by the clock of a zone. */
function sinceMidnight(at: number, which: Zone): number {
  const [hours = 0, minutes = 0, seconds = 0] = clockText(at, which).split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + (at % 1000);
}

/** When the present day began in the chosen zone, also on a day on which its clocks change. */
export function startOfDay(now: number, which: Zone): number {
  const guess = now - sinceMidnight(now, which);
  const off = sinceMidnight(guess, which);
  return off > DAY_MS / 2 ? guess + DAY_MS - off : guess - off;
}

/** A day in the chosen zone: `Mon 03-02`. */
export function dayText(at: number, which: Zone): string {
  const date = dateText(at, which);
  return `${new Date(`${date}T12:00:00Z`).toLocaleDateString(locale, { weekday: "short", timeZone: "UTC" })} ${date.slice(5)}`;
}

/** The coming week, a lane per rule; the table beneath says the same in words. */
export function Week({ rules, now }: { rules: WindowRule[]; now: number }) {
  const which = useStore(zone);
  const start = startOfDay(now, which);
  const days = Array.from({ length: DAYS }, (_, day) => start + day * DAY_MS);
  return (
    <Card title={t`The coming week`} aside={zoneName(which)}>
      <Scroll label={t`The coming week`}>
        <div
          className="week"
          role="img"
          aria-label={
            rules.length
              ? t`Openings of ${rules.length} rules in the coming week; the rules below list them.`
              : t`No window or freeze in the coming week: switches are allowed at any time.`
          }
        >
          <div className="week-days">
            <span />
            {days.map((day) => (
              <time key={day} dateTime={dateText(day + DAY_MS / 2, which)}>
                {dayText(day + DAY_MS / 2, which)}
              </time>
            ))}
          </div>
          {rules.length === 0 ? (
            <div className="week-row">
              <span className="small muted">{t`no rule`}</span>
              <div className="opening-row">
                <i className="today" style={{ left: `${(100 * (now - start)) / (DAYS * DAY_MS)}%` }} />
                <span className="allow" style={{ left: 0, width: "100%" }} />
              </div>
            </div>
          ) : null}
          {rules.map((rule) => (
            <div key={rule.name} className="week-row">
              <span className="clip small" title={rule.name}>
                {rule.name}
              </span>
              <div className="opening-row">
                <i className="today" style={{ left: `${(100 * (now - start)) / (DAYS * DAY_MS)}%` }} />
                {bars(rule.next, start).map((bar) => (
                  <span
                    key={bar.opens}
                    className={rule.effect}
                    style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
                    title={t`${stampText(bar.opens, now, which)} to ${stampText(bar.closes, now, which)}`}
                  />
                ))}
              </div>
            </div>
          ))}
        </div>
      </Scroll>
      <p className="small muted row tight">
        {rich`${(<i className="swatch allow" />)} window ${(<i className="swatch deny" />)} freeze`}
      </p>
    </Card>
  );
}
