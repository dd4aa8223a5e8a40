import { cleanup, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ImpactCard } from "../pages/approval/Impact";
import { pseudo } from "../words/pseudo";
import { approval, impact } from "./samples";
import { show } from "./show";

it("words why references break", () => {
  const lost = { key: "{version} has no {type}.", values: { version: "v2", type: "CmekConfig" } };
  const reference = {
    service: "jobs.example.com",
    region: "us-west2",
    version: "v1",
    type: "Job",
    path: "keys[]",
    kind: "UNSET",
    target: "CmekConfig",
    reason: "v2 has no CmekConfig.",
    phrases: [lost],
  };
  show(
    <ImpactCard approval={approval({ impact: { ...impact(), references: { breaking: [reference], unknown: [] } } })} />,
  );
  const text = pseudo(lost.key).replace("{version}", "v2").replace("{type}", "CmekConfig");
  expect(screen.getByText(/Job\.keys/).closest("li")?.textContent).toContain(text);
  cleanup();
});
