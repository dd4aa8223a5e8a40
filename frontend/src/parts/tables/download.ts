/** Hand the browser a file that was made on this page. */
export function download(name: string, text: string, type = "application/json"): void {
  const at = URL.createObjectURL(new Blob([text], { type }));
  downloadLink(name, at);
  setTimeout(() => URL.revokeObjectURL(at), 1000);
}

export function downloadLink(name: string, at: string): void {
  const link = document.createElement("a");
  link.href = at;
  link.download = name;
  link.click();
}
