export type Tone = "ok" | "run" | "wait" | "blocked" | "bad" | "unknown" | "plain";

const paths: Record<Tone, React.ReactNode> = {
  ok: (
    <>
      <circle cx="8" cy="8" r="6.6" />
      <path d="M5 8.3 7.2 10.4 11.2 5.9" />
    </>
  ),
  run: (
    <>
      <circle cx="8" cy="8" r="6.2" opacity=".35" />
      <path d="M8 1.8A6.2 6.2 0 0 1 14.2 8" strokeWidth="2.2" />
    </>
  ),
  wait: (
    <>
      <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="2" />
      <path d="M6.3 5.4v5.2M9.7 5.4v5.2" />
    </>
  ),
  blocked: (
    <>
      <path d="M5.2 1.6h5.6l3.6 3.6v5.6l-3.6 3.6H5.2l-3.6-3.6V5.2z" />
      <path d="M5 8h6" strokeWidth="2" />
    </>
  ),
  bad: (
    <>
      <path d="M8 1 15 8 8 15 1 8z" />
      <path d="M6 6l4 4M10 6l-4 4" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.4" strokeDasharray="2.6 2.2" />
      <path d="M6.3 6.4a1.75 1.75 0 1 1 2.4 1.7c-.5.2-.7.5-.7 1M8 11.4v.1" />
    </>
  ),
  plain: <circle cx="8" cy="8" r="6.4" />,
};

/** The shape half of a status; the word stands beside it. */
export function Shape({ tone, size = 15 }: { tone: Tone; size?: number }) {
  return (
    <svg
      className={`shape ink-${tone}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[tone]}
    </svg>
  );
}
