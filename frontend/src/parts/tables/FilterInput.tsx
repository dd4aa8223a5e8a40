import { TextInput } from "@mantine/core";
import { useState } from "react";

/** A filter that asks the server once a word is finished: on Enter, or when the field is left. */
export function FilterInput({
  label,
  value,
  onCommit,
  first,
}: {
  label: string;
  value: string;
  onCommit: (value: string) => void;
  first?: boolean;
}) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setDraft(value);
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={draft}
      {...(first ? { "data-filter": true } : {})}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => onCommit(draft.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") onCommit(draft.trim());
      }}
    />
  );
}
