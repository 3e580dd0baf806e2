import { describe, expect, it } from 'vitest';
import { createZone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { fillArguments } from './fill-arguments.ts';

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

  it.each([
    ['convert 5 km to mile', { amount: 5, from: 'km', to: 'mile' }],
    ['convert 5 m to km', { amount: 5, from: 'm', to: 'km' }],
    ['convert 5 m into km', { amount: 5, from: 'm', to: 'km' }],
    ['to km from 3 miles', { amount: 3, from: 'mile', to: 'km' }],
    ['how many m are 3 km?', { amount: 3, from: 'km', to: 'm' }],
  ])('gives each argument its own one of shared options: %s', (text, values) => {
    const unit = { enum: ['km', 'mile', 'm'] };
    expect(fill({ amount: { type: 'number' }, from: unit, to: unit }, text)).toEqual({ values, missing: [] });
  });

  it.each<[string, JsonObject, string, JsonObject]>([
    [
      'a day and its time for two arguments',
      { day: { type: 'string', format: 'date' }, time: { type: 'string', description: 'HH:MM' } },
      'a table tomorrow at 7pm',
      { day: '2026-11-16', time: '19:00' },
    ],
    ['no by the verb', { locked: { type: 'boolean' } }, 'unlock the door', { locked: false }],
    ['yes by the verb', { on: { type: 'boolean' } }, 'switch the lamp on', { on: true }],
    ['an option by another name', { unit: { enum: ['metric', 'imperial'] } }, 'in fahrenheit', { unit: 'imperial' }],
    [
      'quoted text and a path',
      { path: { type: 'string' }, content: { type: 'string' } },
      'write "hello world" into hello.txt',
      { path: 'hello.txt', content: 'hello world' },
    ],
    [
      'values beside their words',
      { host: { type: 'string' }, username: { type: 'string' }, password: { type: 'string' } },
      "host db.example.com, with 'ann' as username and the password 1234",
      { host: 'db.example.com', username: 'ann', password: '1234' },
    ],
    [
      'people and a place with its state',
      { city: { type: 'string', description: "in the format 'City, State'" }, guests: { type: 'integer' } },
      'a house in Austin for 2 people',
      { city: 'Austin, TX', guests: 2 },
    ],
    [
      'currencies by their direction',
      {
        amount: { type: 'number' },
        from: { type: 'string', description: 'currency code' },
        to: { type: 'string', description: 'currency code' },
      },
      'how much are 250 US dollars in euros?',
      { amount: 250, from: 'USD', to: 'EUR' },
    ],
    [
      'a title without its day',
      { title: { type: 'string' }, date: { type: 'string', format: 'date' } },
      'add lunch with Sofia on Thursday',
      { title: 'lunch with Sofia', date: '2026-11-19' },
    ],
    [
      'minutes from hours',
      { duration: { type: 'integer', description: 'in minutes' } },
      'for 2 hours',
      { duration: 120 },
    ],
    [
      'names in a list',
      { teams: { type: 'array', items: { type: 'string' } } },
      'between Lakers and Clippers',
      { teams: ['Lakers', 'Clippers'] },
    ],
    [
      'a part of an object',
      { who: { type: 'object', properties: { email: { type: 'string' } } } },
      'ann@example.org',
      { who: { email: 'ann@example.org' } },
    ],
  ])('reads by language: %s', (_, properties, text, values) => {
    expect(fill(properties, text)).toEqual({ values, missing: [] });
  });

  it('fills an optional argument only with a value that is clearly its own', () => {
    const schema = { properties: { artist: { type: 'string' }, year: { type: 'integer' } }, required: [] };
    expect(fillArguments(schema, 'songs from 2019 by Kesha', { zone, ids: [] }).arguments).toEqual({
      artist: 'Kesha',
      year: 2019,
    });
    expect(fillArguments(schema, 'find 3 songs', { zone, ids: [] }).arguments).toEqual({});
  });

  it('takes an id from the conversation or the message and never makes one up', () => {
    const properties = { note_id: { type: 'string', format: 'uuid' } };
    expect(fill(properties, 'delete that note')).toEqual({ values: {}, missing: ['note_id'] });
    expect(fill(properties, 'delete that note', [ID])).toEqual({ values: { note_id: ID }, missing: [] });
    expect(fill(properties, `delete ${ID}`)).toEqual({ values: { note_id: ID }, missing: [] });
  });

  it('returns the arguments that it could not find', () => {
    expect(fill({ amount: { type: 'number' }, currency: { enum: ['USD'] } }, 'convert some money')).toEqual({
      values: {},
      missing: ['amount', 'currency'],
    });
  });
});
