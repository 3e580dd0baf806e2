import { isObject, type Json } from '../../schema/json.ts';

/** Remarks of the spaces about their data, such as missing values, without duplicates. */
export function findDataNotes(results: readonly Json[]): string[] {
  const notes = results.flatMap((result) =>
    isObject(result) && Array.isArray(result.data_notes) ? result.data_notes : [],
  );
  return [...new Set(notes.filter((note) => typeof note === 'string'))];
}
