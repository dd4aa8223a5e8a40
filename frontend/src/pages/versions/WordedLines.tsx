import { type Phrase, worded } from "../../words/server";

/** Sentences of the server below each other, each in the language of the console where it comes in phrases. */
export function WordedLines({
  of = [],
  phrases,
  className = "small",
}: {
  of?: readonly string[] | undefined;
  phrases?: readonly (readonly Phrase[])[] | undefined;
  className?: string;
}) {
  return of.map((each, at) => (
    <div key={each} className={className}>
      {worded(each, phrases?.[at])}
    </div>
  ));
}
