import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

/** So long after the last letter the server is asked. Unit: milliseconds. */
export const PAUSE_MS = 600;

/** A filter that asks the server once a word is finished: on Enter, when the field is left, or a moment after typing. */
export function FilterInput({
  label,
  value,
  onCommit,
  first,
  isWhole = () => true,
}: {
  label: string;
  value: string;
  onCommit: (value: string) => void;
  first?: boolean;
  /** Whether a text can be asked for while it is typed: half a date cannot. */
  isWhole?: (text: string) => boolean;
}) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const [typing, setTyping] = useState(false);
  if (known !== value) {
    setKnown(value);
    // What is still typed stays as it is, whatever the address makes of its beginning.
    if (!typing) setDraft(value);
  }
  const later = useDebouncedCallback((text: string) => {
    if (text === "" || isWhole(text)) onCommit(text);
  }, PAUSE_MS);
  const commit = (): void => {
    later.cancel();
    setTyping(false);
    onCommit(draft.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={draft}
      {...(first ? { "data-filter": true } : {})}
      onChange={(event) => {
        setTyping(true);
        setDraft(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}
