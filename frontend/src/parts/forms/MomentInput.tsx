import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useRef } from "react";
import { t } from "../../words/text";
import { shownMoment, valueOf, type MomentKind } from "./moment";

interface Props extends Omit<TextInputProps, "value" | "onChange" | "type"> {
  kind: MomentKind;
  /** `2026-03-01`, or `2026-03-01T14:00:00` where a time is asked for; what is being typed stays as it is. */
  value: string;
  onPut: (value: string) => void;
}

/** A day or a time as the console writes both, typed or chosen in the browser's calendar. */
export function MomentInput({ kind, value, onPut, ...field }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  const shown = shownMoment(value);
  const isWhole = valueOf(kind, shown) !== null;
  return (
    <TextInput
      placeholder={kind === "day" ? t`YYYY-MM-DD` : t`YYYY-MM-DD hh:mm`}
      autoComplete="off"
      {...field}
      value={shown}
      onChange={(event) => onPut(valueOf(kind, event.currentTarget.value.trim()) ?? event.currentTarget.value)}
      rightSection={
        <>
          <input
            ref={calendar}
            className="calendar"
            type={kind === "day" ? "date" : "datetime-local"}
            tabIndex={-1}
            aria-hidden="true"
            value={isWhole ? shown.replace(" ", "T") : ""}
            onChange={(event) => onPut(valueOf(kind, event.currentTarget.value) ?? "")}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={kind === "day" ? t`Choose a day` : t`Choose a time`}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden="true" />
          </ActionIcon>
        </>
      }
    />
  );
}
