import type { ReactNode } from "react";
import type { paths } from "../wire/schema";

/** What each call of the API takes and answers, read from its declaration in the OpenAPI description. */

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type WriteMethod = Exclude<Method, "get">;

/** The paths of the API that have a method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never;
}[keyof paths];

type Operation<M extends Method, P> = P extends keyof paths ? (paths[P] extends Record<M, infer O> ? O : never) : never;

/** A revision or digest that was shown, as the server names it in the ETag. */
export type Tag = string | number;

/** Values that are empty are left out of the address. */
type Values<T> = { [K in keyof T]: T[K] | "" | null | undefined };

type PathPart<T> = T extends { path: infer V } ? { path: V } : unknown;

type QueryPart<T> = T extends { query: infer V }
  ? { query: Values<V> }
  : "query" extends keyof T
    ? { query?: Values<NonNullable<T["query"]>> }
    : unknown;

type MatchPart<T> = T extends { header: { "If-Match": string } }
  ? { ifMatch: Tag }
  : T extends { header?: infer V }
    ? "If-Match" extends keyof NonNullable<V>
      ? { ifMatch?: Tag }
      : unknown
    : unknown;

type BodyPart<O> = O extends { requestBody: { content: { "application/json": infer V } } }
  ? { body: V }
  : "requestBody" extends keyof O
    ? O extends { requestBody?: { content: { "application/json": infer V } } }
      ? { body?: V }
      : unknown
    : unknown;

type KeyPart<M extends Method> = M extends WriteMethod
  ? {
      /** Kept by the caller across retries of one decision, so that it happens once. */
      idempotencyKey?: string;
    }
  : unknown;

type CallOf<M extends Method, O> = O extends { parameters: infer T }
  ? PathPart<T> & QueryPart<T> & MatchPart<T> & BodyPart<O> & KeyPart<M> & { signal?: AbortSignal }
  : never;

/** What a call takes: the parameters, the body and the precondition that its operation declares. */
export type Call<M extends Method, P> = CallOf<M, Operation<M, P>>;

/** The call as an argument, which may be left out where nothing is needed. */
export type Arguments<C> = Record<never, never> extends C ? [call?: C] : [call: C];

type ResponsesOf<O> = O extends { responses: infer R } ? R : never;

type Json<R> = R extends { content: { "application/json": infer T } } ? T : undefined;

type JsonOf<R, S extends keyof R> = { [K in S]: Json<R[K]> }[S];

/** What a call answers; where a POST creates something or only rehearses it, what it creates. */
export type Answer<M extends Method, P> =
  ResponsesOf<Operation<M, P>> extends infer R
    ? M extends "post"
      ? JsonOf<R, 201 extends keyof R ? 201 & keyof R : keyof R>
      : JsonOf<R, keyof R>
    : never;

/** The paths whose calls can be rehearsed. */
export type RehearsablePath<M extends WriteMethod> = {
  [P in keyof paths]: paths[P] extends Record<M, { parameters: { query?: infer V } }>
    ? "dry_run" extends keyof NonNullable<V>
      ? P
      : never
    : never;
}[keyof paths];

/** What a dry run answers: 200 where the operation has such an answer. */
export type RehearsalAnswer<M extends WriteMethod, P> =
  ResponsesOf<Operation<M, P>> extends infer R ? JsonOf<R, 200 extends keyof R ? 200 & keyof R : keyof R> : never;

/** What can be done by POST to what a path names: the last parts of the paths under it. */
export type ActionUnder<Base extends string> =
  PathWith<"post"> extends infer P ? (P extends `${Base}/${infer A}` ? A : never) : never;

/** A choice out of the page's address, which anybody may have written: the server refuses what it does not know. */
export function unchecked<T extends string | null | undefined>(value: string): T {
  return value as T;
}

/** One function for each method: the types of a call are those of its method and path. */
export type Reads = <P extends PathWith<"get">>(
  path: P,
  ...call: Arguments<Call<"get", P>>
) => Promise<Answer<"get", P>>;

export type Addresses = <P extends PathWith<"get">>(path: P, ...call: Arguments<Call<"get", P>>) => string;

export type Writes = {
  [M in WriteMethod]: <P extends PathWith<M>>(path: P, ...call: Arguments<Call<M, P>>) => Promise<Answer<M, P>>;
};

export type Rehearsals = {
  [M in WriteMethod]: <P extends RehearsablePath<M>>(
    path: P,
    ...call: Arguments<Call<M, P>>
  ) => Promise<RehearsalAnswer<M, P>>;
};

/** A change as it was filled in. */
export interface Change {
  /** Make it; the key is kept across retries, so that it happens once. */
  send: (idempotencyKey: string) => Promise<unknown>;
  /** Learn what it would do, in words; without it nothing is rehearsed. */
  rehearse?: () => Promise<ReactNode>;
}

export type Changes = { [M in WriteMethod]: <P extends PathWith<M>>(path: P, call: Call<M, P>) => Change };

export type RehearsedChanges = {
  [M in WriteMethod]: <P extends RehearsablePath<M>>(
    path: P,
    call: Call<M, P>,
    tell: (answer: RehearsalAnswer<M, P>) => ReactNode,
  ) => Change;
};
