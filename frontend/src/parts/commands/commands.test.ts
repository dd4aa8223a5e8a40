import { expect, test } from "vitest";
import { generate } from "./commands";

test("a service of the example fleet is filled from its own folder, any other from one that is to be named", () => {
  expect(generate("devices.example.com", "eu-west1")).toBe(
    "swy data generate examples/fleet/devices --region eu-west1",
  );
  expect(generate("tasks.acme.test", "us-1")).toBe("swy data generate FOLDER --region us-1");
  expect(generate()).toBe("swy data generate FOLDER --region REGION");
});
