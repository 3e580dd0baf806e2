import { isObject, type Json } from '../schema/json.ts';

/** Remarks of the spaces about the data of an answer, such as missing values; each once. */
export function findDataNotes(results: readonly Json[]): string[] {
  const notes = results.flatMap((result) =>
    isObject(result) && Array.isArray(result.data_notes) ? result.data_notes : [],
  );
  return [...new Set(notes.filter((note) => typeof note === 'string'))];
}
