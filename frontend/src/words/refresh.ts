/** Fetches the catalogue of the chosen language beside the page, and reloads once where it is another than was kept. */
import { pseudoTexts } from "./pseudo";
import { CATALOGUE, type Catalogue, language } from "./language";

/** Each catalogue is a part of its own, which is fetched only where its language is chosen. */
const CATALOGUES: Record<string, () => Promise<Catalogue["texts"]>> = {
  "en-XA": async () => {
    const [console, server] = await Promise.all([import("./catalogues/en.json"), import("./catalogues/server.json")]);
    return pseudoTexts({ ...console.default, ...server.default });
  },
};

export async function refreshCatalogue(): Promise<void> {
  const fetched: Catalogue = { language, texts: (await CATALOGUES[language]?.()) ?? {} };
  const text = JSON.stringify(fetched);
  if (text === localStorage.getItem(CATALOGUE)) return;
  localStorage.setItem(CATALOGUE, text);
  location.reload();
}
