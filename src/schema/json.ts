import * as z from 'zod';

/** Any JSON value. */
export const Json = z.json();
export type Json = z.infer<typeof Json>;

/** A JSON object with open content, such as a tool's arguments. */
export const JsonObject = z.record(z.string(), Json);
export type JsonObject = z.infer<typeof JsonObject>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): Json | undefined {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}

/** Objects that are built with their first use, because a command needs few of all schemas. */
export const lazyStrict = <S extends z.core.$ZodLooseShape>(shape: () => S) => z.lazy(() => z.strictObject(shape()));
export const lazyLoose = <S extends z.core.$ZodLooseShape>(shape: () => S) => z.lazy(() => z.looseObject(shape()));
