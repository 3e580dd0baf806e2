import { isObject, type Json } from '../schema/json.ts';

/** What the spaces remark about the data behind an answer, such as values that are missing; each once. */
export function findDataNotes(results: readonly Json[]): string[] {
  const notes = results.flatMap((result) =>
    isObject(result) && Array.isArray(result.data_notes) ? result.data_notes : [],
  );
  return [...new Set(notes.filter((note) => typeof note === 'string'))];
}
