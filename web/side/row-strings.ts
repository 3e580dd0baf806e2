/** The texts of the panel with the row of a figure. */
export const ROW_STRINGS = {
  empty: 'Choose a figure of an answer to see its row.',
  from: (tool: string, row: number) => `${tool}, row ${row}`,
  column: 'Column',
  value: 'Stored value',
  query: 'Query',
  missing: 'This figure was not found in any result. It may be computed by the model, or wrong.',
  unfit: (reason: string) => `These words do not fit the result: ${reason}.`,
  gone: 'This figure is not in the conversation on screen.',
} as const;
