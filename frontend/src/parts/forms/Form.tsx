import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import { fieldErrors, type Places } from "./problem";

/**
 * The form of a card or dialog. Nothing is sent until every value holds: the first that does not takes the focus.
 * What the server refuses stands at its field.
 */
export function Form<V extends Record<string, unknown>>({
  of,
  onSend,
  error = null,
  places = {},
  className = "stack",
  role,
  children,
}: {
  of: UseFormReturnType<V>;
  onSend: (values: V) => void;
  /** Of the last request; null while none was refused. */
  error?: unknown;
  places?: Places;
  className?: string;
  role?: "search";
  children: ReactNode;
}) {
  const shown = useRef<unknown>(null);
  useEffect(() => {
    if (shown.current === error) return;
    shown.current = error;
    if (error) of.setErrors(fieldErrors(error, Object.keys(of.getValues()), places));
  });
  const focusFirst = (errors: object, _: V, event: SyntheticEvent<HTMLFormElement> | undefined): void => {
    const [first] = Object.keys(errors);
    event?.currentTarget.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
  };
  return (
    <form role={role} noValidate className={className} onSubmit={of.onSubmit(onSend, focusFirst)}>
      {children}
    </form>
  );
}
