import { TextInput } from "@mantine/core";
import { rich, t } from "../../words/text";

/** Whether the name was typed in full; spaces do not count, for headings write them. */
export function isNameTyped(typed: string, name: string): boolean {
  return typed.replaceAll(" ", "") === name;
}

/** The name of what is changed, typed out before something that cannot be taken back; it says once it is another one. */
export function NameConfirmation({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (typed: string) => void;
}) {
  return (
    <TextInput
      label={<>{rich`Type ${(<code>{name}</code>)} to confirm`}</>}
      value={value}
      error={name.startsWith(value.replaceAll(" ", "")) ? null : t`This is not the name above.`}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
