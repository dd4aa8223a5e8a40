import { Button, Checkbox, NumberInput } from "@mantine/core";
import { Conflict, conflictOf } from "../../../parts/forms/Conflict";
import { Form } from "../../../parts/forms/Form";
import { shownMoment, wrongMoment } from "../../../parts/forms/moment";
import { MomentInput } from "../../../parts/forms/MomentInput";
import { useForm } from "../../../parts/forms/useForm";
import { ProblemPanel } from "../../../parts/states";
import { Shape } from "../../../parts/Shape";
import type { Upgrade } from "../../../wire/model";
import type { components } from "../../../wire/schema";
import { useAct } from "../queries";
import { Dialog } from "../../../parts/forms/Dialog";
import { rich, t } from "../../../words/text";

const HOURS = 168;
/** Where the request has what the fields show. */
const PLACES = { not_before: "at", rollback_hours: "hours" };

/** An instant in UTC, to the second, without its zone; empty for none. */
function utcOf(instant: string): string {
  return instant ? new Date(instant).toISOString().slice(0, 19) : "";
}

/** What the fields show of a plan. */
function wishOf(of: Pick<Upgrade, "automatic" | "plan">): { automatic: boolean; at: string; hours: number } {
  return {
    automatic: of.automatic,
    at: utcOf(String(of.plan["not_before"] ?? "")),
    hours: Number(of.plan["rollback_hours"] ?? HOURS),
  };
}

/** What the server is told: only what differs from the plan. */
export function changesOf(
  upgrade: Pick<Upgrade, "automatic" | "plan">,
  target: { automatic: boolean; at: string; hours: number },
): components["schemas"]["UpgradeActionRequest"] {
  const before = wishOf(upgrade);
  return {
    ...(target.automatic === upgrade.automatic ? {} : { automatic: target.automatic }),
    ...(target.at === before.at ? {} : { not_before: target.at ? `${target.at}Z` : null }),
    ...(target.hours === before.hours ? {} : { rollback_hours: target.hours }),
  };
}

/** How the switch comes about: by itself or by a person, and when at the earliest; and how long the rollback window stays open. */
export function EditPlan({ upgrade, onClose }: { upgrade: Upgrade; onClose: () => void }) {
  const form = useForm(wishOf(upgrade), { at: (value) => wrongMoment("moment", value) });
  const { automatic, at, hours } = form.values;
  const act = useAct(upgrade);
  const changes = changesOf(upgrade, { automatic, at, hours });
  const { votes_given: received } = upgrade.readiness.approvals;
  const stale = conflictOf(act.error);
  const theirs = wishOf((stale?.current ?? upgrade) as unknown as Upgrade);
  const differ = [
    { field: t`Automatic switch`, theirs: theirs.automatic ? t`yes` : t`no`, yours: automatic ? t`yes` : t`no` },
    {
      field: t`Not before`,
      theirs: shownMoment(theirs.at) || t`any time`,
      yours: shownMoment(at) || t`any time`,
    },
    { field: t`Rollback window in hours`, theirs: theirs.hours, yours: hours },
  ].filter((each) => each.theirs !== each.yours);
  return (
    <Dialog opened onClose={onClose} title={t`Change the plan`}>
      <Form
        of={form}
        onSend={(values) => act.mutate({ action: "edit", body: changesOf(upgrade, values) }, { onSuccess: onClose })}
        error={act.error}
        places={PLACES}
        className="stack dialog"
      >
        <Checkbox
          label={t`Switch automatically when every check passes and approvals are complete`}
          data-autofocus
          {...form.getInputProps("automatic", { type: "checkbox" })}
        />
        <MomentInput
          kind="moment"
          label={t`Not before (UTC)`}
          description={t`Empty: as soon as possible. Windows and freezes apply too.`}
          value={at}
          error={form.errors["at"]}
          onPut={(value) => form.setFieldValue("at", value)}
          onBlur={() => form.validateField("at")}
        />
        <NumberInput
          label={t`Rollback window in hours`}
          min={1}
          max={2160}
          {...form.getInputProps("hours")}
          onChange={(value) => form.setFieldValue("hours", Number(value) || 1)}
        />
        {received > 0 ? (
          <div className="notice soft-wait">
            <Shape tone="wait" />{" "}
            {rich`${received === 1 ? t`The recorded vote becomes` : t`The ${received} recorded votes become`}
              void if the plan changes, and a new request is sent.`}
          </div>
        ) : null}
        {stale ? (
          <Conflict
            of={stale}
            differences={differ}
            onMine={() => act.reset()}
            onTheirs={() => {
              form.setValues(theirs);
              act.reset();
            }}
          />
        ) : act.isError ? (
          <ProblemPanel error={act.error} />
        ) : null}
        <div className="row end">
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            type="submit"
            variant="filled"
            disabled={Object.keys(changes).length === 0 || stale !== null || wrongMoment("moment", at) !== null}
            loading={act.isPending}
          >
            {act.isPending ? t`Recording…` : t`Change the plan`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
