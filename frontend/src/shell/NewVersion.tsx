import { Button, CopyButton } from "@mantine/core";
import { useEffect, useState } from "react";
import { newBuild } from "../api/build";
import { Shape } from "../parts/Shape";
import { useStore } from "../state/store";
import { t } from "../words/text";

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields that somebody typed into on this page and that still stand there with something in them. */
export function typedInto(typed: Iterable<Field>): Field[] {
  return [...typed].filter((field) => field.isConnected && field.type !== "password" && field.value.trim() !== "");
}

/** A newer console was installed: reload when it suits; what was typed and not sent is named first. */
export function NewVersion() {
  const build = useStore(newBuild);
  const [typed] = useState(() => new Set<Field>());
  const [left, setLeft] = useState<string[]>([]);
  useEffect(() => {
    const note = (event: Event): void => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
        typed.add(event.target);
    };
    document.addEventListener("input", note);
    return () => document.removeEventListener("input", note);
  }, [typed]);
  if (!build) return null;
  const reload = (): void => {
    const unsent = typedInto(typed).map((field) => field.value);
    if (unsent.length === 0 || left.length > 0) location.reload();
    else setLeft(unsent);
  };
  const begin = (left[0] ?? "").slice(0, 60);
  return (
    <div className="banner soft-wait" role="status">
      <Shape tone="wait" />{" "}
      {left.length
        ? left.length > 1
          ? t`Unsent input: “${begin}” and ${left.length - 1} more. Reloading discards it.`
          : t`Unsent input: “${begin}”. Reloading discards it.`
        : t`A new version of the console is available. Reload to use it.`}
      {left.length ? (
        <CopyButton value={left.join("\n\n")}>
          {({ copied, copy }) => (
            <Button size="compact-xs" onClick={copy}>
              {copied ? t`Copied` : t`Copy it`}
            </Button>
          )}
        </CopyButton>
      ) : null}
      <Button size="compact-xs" variant="filled" onClick={reload}>
        {left.length ? t`Reload anyway` : t`Reload`}
      </Button>
      {left.length ? (
        <Button size="compact-xs" onClick={() => setLeft([])}>
          {t`Not now`}
        </Button>
      ) : null}
    </div>
  );
}
