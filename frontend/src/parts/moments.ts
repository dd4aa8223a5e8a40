/** A day stands for its first moment, in UTC; what is no day is sent as it is, and the server says what is wrong. */
export function momentOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T00:00:00Z` : text.trim();
}
