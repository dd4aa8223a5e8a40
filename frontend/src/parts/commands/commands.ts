/** The command that fills a deployment with made-up resources. The services of the example fleet have their folders along;
 * of others nobody here knows where they lie. */
export function generate(service = "SERVICE", region = "REGION"): string {
  const [name = "", ...rest] = service.split(".");
  const folder = rest.join(".") === "example.com" ? `examples/fleet/${name}` : "FOLDER";
  return `swy data generate ${folder} --region ${region}`;
}
