export function outsideTexts(root: Element, served: string): string[];
