/** Whether a text names a moment: a day, or a day with a time. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);

/** A day stands for its first moment, in UTC; what is no day is sent as it is, and the server says what is wrong. */
export function momentOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T00:00:00Z` : text.trim();
}
