// Types of what the API carries, from its committed description: the schemas, and each call of /api/v1 with its
// parameters, its body and its answers. Problems are thrown, the server sets the other headers: both are left out.
import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const OUT = new URL("../src/wire/schema.ts", import.meta.url);
const DESCRIPTION = new URL("../../docs/reference/openapi.yaml", import.meta.url);
const PREFIX = "/api/v1";
const PRECONDITIONS = new Set(["If-Match", "If-None-Match"]);
const { factory } = ts;

const nodes = await openapiTS(DESCRIPTION, { defaultNonNullable: false, silent: true });
const membersOf = (name) => nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name).members;
const nameOf = (member) => member.name.text;
const isNever = (member) => member.type.kind === ts.SyntaxKind.NeverKeyword;

function withType(member, type) {
  return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type);
}

/** The members of an object type that `change` gives something for. */
function object(type, change) {
  return factory.createTypeLiteralNode(type.members.flatMap((member) => change(member) ?? []));
}

function parameter(member) {
  if (isNever(member)) return null;
  if (nameOf(member) !== "header") return member;
  const headers = object(member.type, (header) => (PRECONDITIONS.has(nameOf(header)) ? header : null));
  return headers.members.length ? withType(member, headers) : null;
}

function response(member) {
  if (!nameOf(member).startsWith("2")) return null;
  return withType(
    member,
    object(member.type, (part) => (nameOf(part) === "headers" ? null : part)),
  );
}

function operation(member) {
  return withType(
    member,
    object(member.type, (part) => {
      if (isNever(part)) return null;
      if (nameOf(part) === "parameters") return withType(part, object(part.type, parameter));
      if (nameOf(part) === "responses") return withType(part, object(part.type, response));
      return part;
    }),
  );
}

const called = new Set();

function path(member) {
  if (!nameOf(member).startsWith(`${PREFIX}/`)) return null;
  const methods = object(member.type, (method) => {
    if (isNever(method) || nameOf(method) === "parameters") return null;
    called.add(method.type.indexType.literal.text);
    return method;
  });
  const name = factory.createStringLiteral(nameOf(member).slice(PREFIX.length));
  return factory.createPropertySignature(undefined, name, undefined, methods);
}

function declared(name, members) {
  return factory.createInterfaceDeclaration(
    [factory.createToken(ts.SyntaxKind.ExportKeyword)],
    name,
    undefined,
    undefined,
    members,
  );
}

const written = [
  declared(
    "paths",
    membersOf("paths").flatMap((member) => path(member) ?? []),
  ),
  declared(
    "operations",
    membersOf("operations").flatMap((member) => (called.has(nameOf(member)) ? operation(member) : [])),
  ),
  declared(
    "components",
    membersOf("components").filter((member) => nameOf(member) === "schemas"),
  ),
];
writeFileSync(OUT, `/** Written by \`npm run wire\` from docs/reference/openapi.yaml. */\n\n${astToString(written)}`);
