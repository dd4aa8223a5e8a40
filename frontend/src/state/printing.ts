import { createStore } from "./store";

/** Whether the page is drawn for paper, which is white in every colour scheme. */
export const printing = createStore(false);

const SCHEME = "data-mantine-color-scheme";
const LIGHT = "light";

/** Draw the page in light colours while it is printed, and as before afterwards. */
export function printLight(root: HTMLElement): void {
  const print = matchMedia("print");
  let before: string | null = null;
  const follow = (): void => {
    if (print.matches === printing.get()) return;
    const now = root.getAttribute(SCHEME);
    if (print.matches) {
      before = now;
      root.setAttribute(SCHEME, LIGHT);
    } else if (before && now === LIGHT) root.setAttribute(SCHEME, before); // Else another scheme was chosen meanwhile.
    printing.set(print.matches);
  };
  print.addEventListener("change", follow);
}
