import type { Tone } from "../parts/Shape";

/** The colour of an installation: red where people are served, amber where it is rehearsed, calm elsewhere. */
export function environmentTone(name: string): Tone {
  if (/^(prod|live)/i.test(name)) return "bad";
  if (/^(stag|pre|uat|qa)/i.test(name)) return "wait";
  return "run";
}
