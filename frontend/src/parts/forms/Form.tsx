import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, type ReactNode } from "react";
import { fieldErrors, FieldsContext, type Places } from "./problem";

/**
 * The form of a card or dialog. Nothing is sent until every value holds: the first that does not takes the focus.
 * What the server refuses stands at its field.
 */
export function Form<V extends Record<string, unknown>>({
  of,
  onSend,
  error = null,
  places = {},
  shown: names = Object.keys(of.getValues()),
  className = "stack",
  role,
  children,
}: {
  of: UseFormReturnType<V>;
  onSend: (values: V) => void;
  /** Of the last request; null while none was refused. */
  error?: unknown;
  places?: Places;
  /** The values that have a field now, where some have none. */
  shown?: readonly string[];
  className?: string;
  role?: "search";
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const noted = useRef<unknown>(null);
  const focusField = (name: string | undefined): void =>
    form.current?.querySelector<HTMLElement>(`[data-path="${name}"]`)?.focus();
  useEffect(() => {
    if (noted.current === error) return;
    noted.current = error;
    if (!error) return;
    const errors = fieldErrors(error, names, places);
    of.setErrors(errors);
    // In a long form the field may be out of sight, and so may what is said of the whole.
    const first = names.find((name) => name in errors);
    if (first) focusField(first);
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  });
  return (
    <form
      ref={form}
      role={role}
      noValidate
      className={className}
      onSubmit={of.onSubmit(onSend, (errors) => focusField(Object.keys(errors)[0]))}
    >
      <FieldsContext value={{ names, places }}>{children}</FieldsContext>
    </form>
  );
}
