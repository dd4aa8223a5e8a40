/** Where a resource is shown in full. */
export function addressOf(service: string, region: string, name: string, version: string): string {
  return `/resources/one?${new URLSearchParams({ service, region, name, version }).toString()}`;
}
