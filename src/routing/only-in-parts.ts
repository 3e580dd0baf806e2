import { isObject, type Json } from '../schema/json.ts';

/** What each answer is told apart by that has no figure for the whole, though one was asked for. */
export function findOnlyInParts(results: readonly Json[]): string[] {
  return results.flatMap((result) =>
    isObject(result) && typeof result.given_only_by === 'string' ? [result.given_only_by] : [],
  );
}

/** Such as `There is no figure for the whole, only one for each channel.` */
export function describeOnlyInParts(parts: readonly string[]): string[] {
  return [...new Set(parts)].map((part) => `There is no figure for the whole, only one for each ${part}.`);
}
