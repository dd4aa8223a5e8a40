import { Button, CopyButton } from "@mantine/core";
import { Shape } from "../Shape";
import { t } from "../../words/text";

/** For the dialog around a secret: neither Escape nor a click beside it takes away what is never shown again. */
export const KEPT_OPEN = { closeOnEscape: false, closeOnClickOutside: false };

/** A secret that is shown this once; the focus is where it is copied. */
export function ShownOnce({ value, text, onClose }: { value: string; text: string; onClose: () => void }) {
  return (
    <div className="stack">
      <div className="notice soft-wait" role="status">
        <Shape tone="wait" /> {text}
      </div>
      <div className="row command">
        <code className="break">{value}</code>
      </div>
      <div className="row end">
        <CopyButton value={value}>
          {({ copied, copy }) => (
            // eslint-disable-next-line jsx-a11y/no-autofocus -- what was pressed to get here is gone
            <Button autoFocus data-autofocus onClick={copy}>
              {copied ? t`Copied` : t`Copy`}
            </Button>
          )}
        </CopyButton>
        <Button variant="filled" onClick={onClose}>
          {t`Done`}
        </Button>
      </div>
    </div>
  );
}
