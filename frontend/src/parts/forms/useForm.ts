import { useForm as useLibraryForm, type FormValidateInput, type UseFormReturnType } from "@mantine/form";
import { t } from "../../words/text";

/** What a value of a form must be: the rule says what is wrong with it, or null. */
export type Rules<V> = { [Name in keyof V]?: (value: V[Name], values: V) => string | null };

/** Nothing but blanks is no value. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || String(value).trim() === "";
}

export const required = (value: unknown): string | null => (isBlank(value) ? t`This field is required.` : null);

/** A day or moment whose year is not typed to its end passes through 0002, 0020 and 0202. */
export function wholeYear(value: unknown): string | null {
  const year = Number(/^\d+/.exec(String(value))?.[0]);
  return isBlank(value) || (year >= 1970 && year <= 9999) ? null : t`Enter a year of four digits, from 1970 on.`;
}

/** The values of a form: a field is judged when it is left after a change, all of them when the form is sent. */
export function useForm<V extends Record<string, unknown>>(start: V, rules: Rules<V> = {}): UseFormReturnType<V> {
  const dotted = Object.keys(start).find((name) => name.includes("."));
  if (dotted) throw new Error(`${dotted} names no field: the form library takes a dot for a path.`);
  return useLibraryForm<V>({
    initialValues: start,
    validate: rules as FormValidateInput<V>,
    enhanceGetInputProps: ({ form, field }) => ({
      // An empty field that was only passed through has no error yet.
      onFocus: undefined,
      // What the server said of a value stays until the value changes.
      onBlur: () => {
        if (form.isTouched(field) && !form.errors[field]) form.validateField(field);
      },
    }),
  });
}
