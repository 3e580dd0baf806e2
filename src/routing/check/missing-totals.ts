import { isObject, type Json } from '../../schema/json.ts';

/**
 * Finds results that are broken down by a dimension although the question asked for a total; returns the dimensions.
 */
export function findMissingTotals(results: readonly Json[]): string[] {
  return results.flatMap((result) =>
    isObject(result) && typeof result.given_only_by === 'string' ? [result.given_only_by] : [],
  );
}

/** For example `There is no figure for the whole, only one for each channel.` */
export function describeMissingTotals(parts: readonly string[]): string[] {
  return [...new Set(parts)].map((part) => `There is no figure for the whole, only one for each ${part}.`);
}
