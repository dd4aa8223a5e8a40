import { createStore } from "../state/store";

/** Whether the palette is open; its code is fetched later than this. */
export const paletteIsOpen = createStore(false);

export function openPalette(): void {
  paletteIsOpen.set(true);
}
