/** The files of a service folder that was chosen in the browser, as the API takes them. */

const SERVICE_FILE = "service.yaml";

function content(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}

/** The path below the chosen folder; files whose name or folder begins with a dot are left out. */
export function pathOf(file: File): string | null {
  const parts = (file.webkitRelativePath || `/${file.name}`).split("/").slice(1);
  return parts.some((part) => part.startsWith(".")) ? null : parts.join("/");
}

/** Read a folder; it must be one of a service. */
export async function readFolder(chosen: readonly File[]): Promise<Record<string, string>> {
  const named = chosen.flatMap((file) => {
    const path = pathOf(file);
    return path ? [{ path, file }] : [];
  });
  if (!named.some(({ path }) => path === SERVICE_FILE))
    throw new Error(`This folder has no ${SERVICE_FILE}. Choose the folder of a service.`);
  const read = await Promise.all(named.map(async ({ path, file }) => [path, await content(file)] as const));
  return Object.fromEntries(read);
}
