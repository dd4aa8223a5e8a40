import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { serve, show } from "../../test/show";
import { Affected } from "./report/Affected";
import { Comparison } from "./report/Comparison";
import { anchor, byWeight, coverage, type Finding, html, meets, rangeOf, type Report } from "./report/report";
import { SchemaDiff } from "./report/SchemaDiff";
import { align, compareSchemas, near, paired, partsOf } from "./report/schemas";

const SERVICE = "shelves.example.com";
const finding = (path: string, part: Partial<Finding> = {}): Finding =>
  ({
    path,
    where: "request",
    rule: "field-removed",
    weight: "break",
    handled: false,
    classes: ["wire"],
    buf: ["WIRE"],
    before: "string",
    after: "",
    order: "",
    advice: "Keep it.",
    transform: "",
    plan: [],
    ...part,
  }) as Finding;
const report = (findings: Finding[], part: Partial<Report> = {}): Report =>
  ({
    service: SERVICE,
    before: "v1",
    after: "v2",
    client: "strict",
    server: "filter",
    policy: "default",
    sentence: "2 differences.",
    verdict: "breaking",
    findings,
    losses: [],
    ...part,
  }) as Report;

describe("the findings of a report", () => {
  it("begin with what weighs most and is not handled", () => {
    const all = [
      finding("a", { weight: "note" }),
      finding("d", { handled: true }),
      finding("c"),
      finding("b"),
      finding("e", { weight: "ordered" }),
    ];
    expect(byWeight(all).map((each) => each.path)).toEqual(["b", "c", "e", "a", "d"]);
    expect(coverage(all)).toEqual({ handled: 1, total: 5 });
  });

  it("have an address each, and a range is read from one", () => {
    expect(anchor(finding("Box.parts[].note"))).toBe("box-parts-note-field-removed-request");
    expect([rangeOf("v1..v2"), rangeOf("v1")]).toEqual([
      { before: "v1", after: "v2" },
      { before: "v1", after: "" },
    ]);
  });

  it.each([
    ["Box", true],
    ["Box.parts[].note", true],
    ["Box.parts", true],
    ["Box.parts[].note.text", true],
    ["Box.size", false],
    ["Shelf.parts", false],
  ])("at %s meet a client that sends Box.parts.note: %s", (path, met) => {
    expect(meets({ path }, { types: new Set(["Box"]), keys: new Set(["Box.parts.note"]) })).toBe(met);
  });

  it("are written as a page of their own, in which nothing of them is markup", () => {
    const page = html(report([finding("Box.<b>", { advice: "Use a & b." })]));
    expect(page).toContain("<td>Box.&lt;b&gt;</td>");
    expect(page).toContain("<td>Use a &amp; b.</td>");
    expect(page).toContain("<td>string → nothing</td>");
    expect(page).toContain("<td>wire; Buf: WIRE</td>");
    expect(html(report([]))).toContain("<p>None.</p>");
  });
});

describe("two reports side by side", () => {
  const address = `GET /services/${SERVICE}/compatibility`;
  const card = async (title: string): Promise<string[]> => {
    const heading = await screen.findByRole("heading", { name: title });
    return within(heading.parentElement as HTMLElement)
      .queryAllByRole("listitem")
      .map((item) => item.textContent?.trim() ?? "");
  };

  it("show what only one of them finds", async () => {
    serve({ [address]: report([finding("Box.title"), finding("Box.new")], { before: "v0", after: "v2" }) });
    show(
      <Comparison of={report([finding("Box.title"), finding("Box.old")])} versions={["v0", "v1", "v2"]} />,
      "/?with=v0..v2",
    );
    expect(await card("Only v1..v2: 1")).toEqual(["Box.old request · field removed"]);
    expect(await card("Only v0..v2: 1")).toEqual(["Box.new request · field removed"]);
  });

  it("may find the same", async () => {
    serve({ [address]: report([finding("Box.title")]) });
    show(<Comparison of={report([finding("Box.title")])} versions={["v0", "v1", "v2"]} />, "/?with=v0..v2");
    expect(await screen.findByText("Both reports have the same findings.")).toBeTruthy();
  });

  it("are not asked for before another is chosen, nor offered where there is no other", () => {
    const sent = serve({});
    const page = show(<Comparison of={report([])} versions={["v1", "v2"]} />);
    expect(screen.getByText(/^Choose two other versions/)).toBeTruthy();
    expect(sent).toEqual([]);
    page.unmount();
    show(<Comparison of={report([])} versions={["v1"]} />);
    expect(screen.queryByRole("heading")).toBeNull();
  });
});

describe("two schemas side by side", () => {
  const row = (before: string | null, after: string | null) => ({ before, after, same: before === after });

  it("keep the longest run of equal lines level", () => {
    expect(align(["a", "b", "c"], ["a", "c", "d"])).toEqual([
      row("a", "a"),
      row("b", null),
      row("c", "c"),
      row(null, "d"),
    ]);
    expect(align([], ["a"])).toEqual([row(null, "a")]);
    expect(align([], [])).toEqual([]);
  });

  it("put a line that went and one that came into one row", () => {
    expect(paired([row("a", null), row("b", null), row(null, "c"), row("d", "d"), row(null, "e")])).toEqual([
      row("a", "c"),
      row("b", null),
      row("d", "d"),
      row(null, "e"),
    ]);
  });

  it("show what differs and three lines around it", () => {
    const rows = Array.from({ length: 12 }, (_, at) => row(String(at), at === 6 ? null : String(at)));
    expect(near(rows).flatMap((shown, at) => (shown ? [at] : []))).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(near([row("a", "a")])).toEqual([false]);
  });

  it("are read part by part, without where they were read from", () => {
    const schema = {
      version: "v1",
      sources: ["x"],
      types: { Box: { fields: [{ name: "title", list: null }] } },
      flags: [1],
    };
    expect(partsOf({ schema })).toEqual([
      { title: "types Box", lines: ["fields:", "  - name: title", "    list: null"] },
      { title: "flags", lines: ["- 1"] },
    ]);
  });

  it("begin with the parts that differ", () => {
    const types = (names: string[], title: string): Record<string, unknown> =>
      Object.fromEntries(names.map((name) => [name, { title: name === "B" ? title : "same" }]));
    const compared = compareSchemas(
      { schema: { types: types(["A", "B"], "x") } },
      { schema: { types: types(["A", "B", "C"], "y") } },
    );
    expect(compared.map((part) => [part.title, part.changed])).toEqual([
      ["types B", 1],
      ["types C", 1],
      ["types A", 0],
    ]);
  });

  it("fold what is equal, and unfold it on request", async () => {
    const fields = (last: string): string[] => [...Array.from({ length: 9 }, (_, at) => `f${at}`), last];
    serve({
      [`GET /services/${SERVICE}/schemas/v1`]: { schema: { types: { Box: { fields: fields("old") } } } },
      [`GET /services/${SERVICE}/schemas/v2`]: { schema: { types: { Box: { fields: fields("new") } } } },
    });
    show(<SchemaDiff service={SERVICE} before="v1" after="v2" />);
    expect(await screen.findByText("7 equal lines")).toBeTruthy();
    expect(screen.getByRole("row", { name: "before: - old after: - new" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Unfold types Box" }));
    expect(screen.queryByText("7 equal lines")).toBeNull();
    expect(screen.getAllByRole("row")).toHaveLength(12);
  });

  it("may be identical", async () => {
    const schema = { schema: { types: { Box: { title: "a" } } } };
    serve({ [`GET /services/${SERVICE}/schemas/v1`]: schema, [`GET /services/${SERVICE}/schemas/v2`]: schema });
    show(<SchemaDiff service={SERVICE} before="v1" after="v2" />);
    expect(await screen.findByText("Both versions are identical.")).toBeTruthy();
  });
});

describe("who is affected", () => {
  it("is who serves the older version, is built on it or calls it", async () => {
    const cell = (service: string, region: string, current_version: string): unknown => ({
      name: `services/${service}/deployments/${region}`,
      service,
      region,
      current_version,
    });
    serve({
      "GET /fleet": {
        cells: [cell(SERVICE, "eu", "v1"), cell(SERVICE, "us", "v2"), cell("apps.example.com", "ap", "v3")],
        services: [],
        regions: [],
      },
      [`GET /services/${SERVICE}`]: {
        imported_by: [
          { service: "apps.example.com", for_version: "v3", version: "v1" },
          { service: "iam.example.com", for_version: "v1", version: "v2" },
        ],
      },
      [`GET /services/${SERVICE}/usage`]: {
        days: 14,
        versions: [
          {
            version: "v1",
            clients: [
              {
                client: "portal",
                release: "2.0",
                last_seen: "2026-03-01T14:00:00Z",
                methods: [{ messages: 7 }, { messages: 5 }],
              },
            ],
          },
        ],
      },
    });
    show(<Affected service={SERVICE} before="v1" />);
    expect(await screen.findByRole("link", { name: "eu" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "us" })).toBeNull();
    const importer = await screen.findByRole("row", { name: /^apps\.example\.com v3/ });
    expect(within(importer).getByRole("link", { name: "ap" })).toBeTruthy();
    expect(screen.queryByRole("row", { name: /^iam/ })).toBeNull();
    expect(await screen.findByRole("row", { name: /^portal 2\.0 12 / })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Clients with calls in 14 days" })).toBeTruthy();
  });

  it("names no caller where nothing is known of the version", async () => {
    serve({
      "GET /fleet": { cells: [], services: [], regions: [] },
      [`GET /services/${SERVICE}`]: { imported_by: [] },
    });
    show(<Affected service={SERVICE} before="v1" />);
    expect(await screen.findAllByText("None.")).toHaveLength(2);
    expect(screen.getByText("none")).toBeTruthy();
  });
});
