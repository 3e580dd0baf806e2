import { describe, expect, it } from 'vitest';
import { createZone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { fillArguments } from './fill-arguments.ts';

const zone = createZone({ now: new Date('2026-11-16T12:00:00Z'), timezone: 'UTC' });
const text = (description = '') => ({ type: 'string', description });
const whole = (description = '') => ({ type: 'integer', description });

function fill(properties: JsonObject, message: string, required = Object.keys(properties)) {
  const about = ['timer', 'event', 'blinds', 'lamp'];
  return fillArguments({ type: 'object', properties, required }, message, { zone, ids: [], about }).arguments;
}

describe('arguments of everyday requests', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['a spoken time', { start: text('HH:MM') }, 'at half past seven in the evening', { start: '19:30' }],
    ['a day with a name', { date: text('YYYY-MM-DD') }, "dinner on New Year's Eve", { date: '2026-12-31' }],
    ['a weekday', { day: text('Weekday') }, 'open on Sunday', { day: 'Sunday' }],
    ['a code like the example', { order: text('e.g. F-1234') }, 'where is F-88?', { order: 'F-88' }],
    ['a room by a part of it', { room: text() }, 'there is dust across the cellar floor', { room: 'cellar' }],
    ['a thing with its kind', { door: text('Which door') }, 'lock the cellar door', { door: 'cellar door' }],
    [
      'a receiver',
      { recipient: text('Who'), amount: whole() },
      'send the gardener 85',
      { recipient: 'gardener', amount: 85 },
    ],
    ['an option with a space', { input: { enum: ['hdmi1', 'hdmi2'] } }, 'switch to hdmi 2', { input: 'hdmi2' }],
    ['the text after a colon', { text: text() }, 'note: the key is with Ines', { text: 'the key is with Ines' }],
    ['a title after its kind', { title: text() }, 'delete the event budget review', { title: 'budget review' }],
    ['words without a remark', { item: text() }, 'add the hoodie, my old one is torn', { item: 'hoodie' }],
  ])('reads %s', (_, properties, message, values) => {
    expect(fill(properties, message)).toEqual(values);
  });

  it.each<[string, JsonObject, string[], string, JsonObject]>([
    [
      'a link',
      { dish: text(), restaurant: text() },
      ['dish', 'restaurant'],
      'a margherita from Mai Mai',
      { dish: 'margherita', restaurant: 'Mai Mai' },
    ],
    [
      'what it is for',
      { minutes: whole(), label: text() },
      ['minutes'],
      'timer 9 minutes for the eggs',
      { minutes: 9, label: 'eggs' },
    ],
    [
      'a place beside a title',
      { title: text(), date: text('YYYY-MM-DD'), place: text() },
      ['title', 'date'],
      "put the concert on the 20th of December in St Mary's",
      { title: 'concert', date: '2026-12-20', place: "St Mary's" },
    ],
  ])('gives an optional argument its value by %s', (_, properties, required, message, values) => {
    expect(fill(properties, message, required)).toEqual(values);
  });

  it.each<[string, JsonObject, string, string[]]>([
    ['a length of time as a moment', { minutes: whole(), date: text('YYYY-MM-DD') }, 'log 30 minutes', ['minutes']],
    ['a room that is part of another thing', { room: text() }, 'open the garage door', []],
    ['a parcel as the words of a message', { text: text('Text of the message') }, 'send a parcel to Ingrid', []],
    ['an order as a title', { title: text() }, 'translate the page into French', []],
    ['a question as a title', { title: text() }, 'is there football?', []],
  ])('does not read %s', (_, properties, message, names) => {
    expect(Object.keys(fill(properties, message))).toEqual(names);
  });
});
