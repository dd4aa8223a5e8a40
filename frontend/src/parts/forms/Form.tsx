import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
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
  const noted = useRef<unknown>(null);
  useEffect(() => {
    if (noted.current === error) return;
    noted.current = error;
    if (error) of.setErrors(fieldErrors(error, Object.keys(of.getValues()), places));
  });
  const focusFirst = (errors: object, _: V, event: SyntheticEvent<HTMLFormElement> | undefined): void => {
    const [first] = Object.keys(errors);
    event?.currentTarget.querySelector<HTMLElement>(`[data-path="${first}"]`)?.focus();
  };
  return (
    <form role={role} noValidate className={className} onSubmit={of.onSubmit(onSend, focusFirst)}>
      <FieldsContext value={{ names, places }}>{children}</FieldsContext>
    </form>
  );
}
