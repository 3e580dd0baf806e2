import { describe, expect, it } from 'vitest';
import { createZone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { fillArguments } from './fill-arguments.ts';

const zone = createZone({ now: new Date('2026-11-16T12:00:00Z'), timezone: 'UTC' });
const text = (description = '') => ({ type: 'string', description });
const number = (description = '') => ({ type: 'number', description });

function fill(properties: JsonObject, message: string, about: string[] = []) {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  return fillArguments(schema, message, { zone, ids: [], about }).arguments;
}

describe('arguments that the remark beside a request holds', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['the room of a thing', { speaker: text('Room of the speaker') }, 'it is loud in the den', { speaker: 'den' }],
    [
      'the words to somebody',
      { contact: text('Receiver'), text: text('Message text') },
      "tell Lea I'm ten minutes late",
      { contact: 'Lea', text: "I'm ten minutes late" },
    ],
  ])('reads %s', (_, properties, message, expected) => {
    expect(fill(properties, message)).toEqual(expected);
  });

  it.each<[string, JsonObject, string, JsonObject]>([
    ['the only number', { level: number() }, 'take it down to 30', { level: 30 }],
    ['what goes off', { on: { type: 'boolean' } }, 'off with the lights', { on: false }],
    ['no number in "one"', { days: number(), name: text() }, 'should one call it Rex', { name: 'Rex' }],
  ])('reads %s', (_, properties, message, expected) => {
    expect(fill(properties, message)).toEqual(expected);
  });

  it('takes both ends of a conversion for currencies if the tool says so', () => {
    const properties = { amount: number('Amount'), source: text('ISO code'), target: text('ISO code') };
    expect(fill(properties, 'what do 250 pounds come to in yen', ['currency'])).toEqual({
      amount: 250,
      source: 'GBP',
      target: 'JPY',
    });
  });
});
