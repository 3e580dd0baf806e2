/**
 * Tools in addition to `work`, each with an argument for the user and some for the model, to measure long tool lists.
 */
export function moreTools(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `lookup_${index}`,
    description: `Looks up records of kind ${index} that match a filter`,
    parameters: {
      type: 'object',
      properties: {
        user_id: { type: 'string', description: 'Whose records' },
        query: { type: 'string', description: 'Words that the records hold' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        sort: { type: 'string', enum: ['newest', 'oldest', 'name'] },
        filter: {
          type: 'object',
          properties: { after: { type: 'string', format: 'date' }, tags: { type: 'array', items: { type: 'string' } } },
        },
      },
      required: ['user_id', 'query'],
    },
  }));
}

/** The same tools without the user's argument, as a hand-written loop sends them. */
export function shownTools(count) {
  return moreTools(count).map(({ parameters: { properties, required, ...rest }, ...tool }) => {
    const { user_id: _hidden, ...shown } = properties;
    const parameters = { ...rest, properties: shown, required: required.filter((name) => name !== 'user_id') };
    return { type: 'function', function: { ...tool, parameters } };
  });
}
