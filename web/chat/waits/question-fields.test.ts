import { describe, expect, it } from 'vitest';
import { readFields, toAnswer } from './question-fields.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'Where to' },
    nights: { type: 'integer', default: 2 },
    kind: { type: 'string', enum: ['s', 'd'], enumNames: ['Single', 'Double'] },
    pets: { type: 'boolean' },
    note: { type: 'string' },
  },
  required: ['city', 'nights'],
};

describe('readFields', () => {
  it('reads labels, hints, choices and defaults', () => {
    expect(
      readFields(schema)?.map(({ name, label, kind, isRequired, initial }) => [name, label, kind, isRequired, initial]),
    ).toEqual([
      ['city', 'City', 'text', true, ''],
      ['nights', 'nights', 'number', true, '2'],
      ['kind', 'kind', 'choice', false, ''],
      ['pets', 'pets', 'boolean', false, ''],
      ['note', 'note', 'text', false, ''],
    ]);
  });

  it.each([undefined, true, { type: 'string' }, { properties: { a: { type: 'object' } } }])(
    'leaves %j to an answer as JSON',
    (other) => expect(readFields(other)).toBeUndefined(),
  );
});

describe('toAnswer', () => {
  it('gives numbers as numbers, boxes as booleans, and leaves out empty optional fields', () => {
    const values = { city: 'Paris', kind: 'd', pets: 'true', note: '' };
    expect(toAnswer(readFields(schema) ?? [], values)).toEqual({ city: 'Paris', nights: 2, kind: 'd', pets: true });
  });
});
