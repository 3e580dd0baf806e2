import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../schema/json.ts';
import { fillArguments } from './fill-arguments.ts';
import { createZone } from './zoned-time.ts';

const zone = createZone({ now: new Date('2026-11-15T12:00:00Z'), timezone: 'UTC' });
const ID = '00000000-0000-4000-8000-000000000001';

function fill(properties: JsonObject, text: string, ids: string[] = []) {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const { arguments: values, missing } = fillArguments(schema, text, { zone, ids });
  return { values, missing: missing.map((argument) => argument.name) };
}

describe('fillArguments', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    [
      'an option behind its own word',
      { from: { enum: ['USD', 'EUR'] }, to: { enum: ['USD', 'EUR'] } },
      'from EUR to USD',
      { from: 'EUR', to: 'USD' },
    ],
    [
      'numbers by the word beside them',
      { width: { type: 'integer' }, height: { type: 'integer' } },
      'height 5 and width 7',
      { width: 7, height: 5 },
    ],
    ['what is asked for', { product: { type: 'string' } }, 'what does a lamp cost?', { product: 'lamp' }],
    [
      'what is asked for by its amount',
      { product: { type: 'string' } },
      'how much are the red chairs?',
      { product: 'red chairs' },
    ],
    ['number words', { count: { type: 'integer' } }, 'give me three of them', { count: 3 }],
    ['a date', { date: { type: 'string', format: 'date' } }, 'book it for tomorrow', { date: '2026-11-16' }],
    ['quoted text first', { text: { type: 'string' } }, 'post "Hello World" to Berlin', { text: 'Hello World' }],
    ['a name in its place', { city: { type: 'string' } }, 'what is the weather in New York', { city: 'New York' }],
    [
      'both ends of a way',
      { origin: { type: 'string' }, destination: { type: 'string' } },
      'a train from Rome to Milan',
      { origin: 'Rome', destination: 'Milan' },
    ],
    ['an address', { email: { type: 'string' } }, 'invite ann@example.org please', { email: 'ann@example.org' }],
    [
      'a list of numbers',
      { values: { type: 'array', items: { type: 'number' } } },
      'the mean of 1, 2 and 3.5',
      { values: [1, 2, 3.5] },
    ],
    [
      'the whole question',
      { query: { type: 'string' } },
      'Which products sell best?',
      { query: 'Which products sell best?' },
    ],
    ['a yes or no that is named', { alarm: { type: 'boolean' } }, 'without alarm', { alarm: false }],
  ])('reads %s', (_, properties, text, values) => {
    expect(fill(properties, text)).toEqual({ values, missing: [] });
  });

  it.each([
    ['3 coffees', { article: 'coffee', amount: 3 }],
    ['what do 2 x tea cost?', { article: 'tea', amount: 2 }],
    ['the price of five cups of coffee', { article: 'coffee', amount: 5 }],
    ['coffee for 3 people', { article: 'coffee' }],
    ['what does coffee cost in 2 days?', { article: 'coffee' }],
  ])('counts what another argument names: %s', (text, values) => {
    const amount = { type: 'integer', description: 'how many' };
    const schema = { properties: { article: { enum: ['tea', 'coffee'] }, amount }, required: ['article'] };
    expect(fillArguments(schema, text, { zone, ids: [] }).arguments).toEqual(values);
  });

  it('takes an id from the conversation or the message and never makes one up', () => {
    const properties = { note_id: { type: 'string', format: 'uuid' } };
    expect(fill(properties, 'delete that note')).toEqual({ values: {}, missing: ['note_id'] });
    expect(fill(properties, 'delete that note', [ID])).toEqual({ values: { note_id: ID }, missing: [] });
    expect(fill(properties, `delete ${ID}`)).toEqual({ values: { note_id: ID }, missing: [] });
  });

  it('says what it could not find', () => {
    expect(fill({ amount: { type: 'number' }, currency: { enum: ['USD'] } }, 'convert some money')).toEqual({
      values: {},
      missing: ['amount', 'currency'],
    });
  });
});
