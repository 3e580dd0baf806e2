import { describe, expect, it } from 'vitest';
import { createZone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { fillArguments } from './fill-arguments.ts';

const zone = createZone({ now: new Date('2026-11-16T12:00:00Z'), timezone: 'UTC' });
const text = (description = '') => ({ type: 'string', description });
const whole = (description = '') => ({ type: 'integer', description });
const number = (description = '') => ({ type: 'number', description });

function fill(properties: JsonObject, message: string, required = Object.keys(properties)) {
  return fillArguments({ type: 'object', properties, required }, message, { zone, ids: [] }).arguments;
}

describe('arguments as people say them', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['one and a half', { minutes: whole() }, 'off in an hour and a half', { minutes: 90 }],
    ['another unit', { ml: whole() }, 'I drank half a litre', { ml: 500 }],
    ['another name of the unit', { kg: number() }, 'it weighs 7.4 kilos', { kg: 7.4 }],
    [
      'a width and a height',
      { width_px: whole(), height_px: whole() },
      'make it 1200 by 630',
      { width_px: 1200, height_px: 630 },
    ],
    ['how often', { copies: whole() }, 'print it twice', { copies: 2 }],
    ['one of a kind', { adults: whole(), children: whole() }, 'two adults and a child', { adults: 2, children: 1 }],
    [
      'digits with a leading zero',
      { last_four: text('Last four digits') },
      'the one ending 0817',
      { last_four: '0817' },
    ],
    ['a day and a time', { at: text('YYYY-MM-DDTHH:MM') }, 'next Monday at 9:15', { at: '2026-11-23T09:15' }],
    ['half past by its short name', { time: text('HH:MM') }, 'after half five tonight', { time: '17:30' }],
    ['a title with links', { title: text() }, 'an album called Summer in Crete', { title: 'Summer in Crete' }],
    ['a channel', { channel: text('Without #') }, 'post it in #design', { channel: 'design' }],
  ])('reads %s', (_, properties, message, values) => {
    expect(fill(properties, message)).toEqual(values);
  });

  it.each<[string, JsonObject, string, JsonObject]>([
    ['an upper bound', { max_price: number() }, 'a jacket under 80 euros', { max_price: 80 }],
    ['a rate', { max_price: number('Per night') }, 'a room, max 120 a night', { max_price: 120 }],
    ['a price for each night', { price_per_night: number() }, 'a price of 120 euros', { price_per_night: 120 }],
    ['a lower bound', { min_price: number() }, 'a price of 20 euros', { min_price: 20 }],
    ['a kind of thing', { cuisine: text() }, 'any thai places', { cuisine: 'thai' }],
    ['a file type', { extension: text() }, 'where are my pdf files', { extension: 'pdf' }],
  ])('gives an optional argument its value by %s', (_, properties, message, values) => {
    expect(fill(properties, message, [])).toEqual(values);
  });

  it.each<[string, JsonObject, string]>([
    ['a length of time as a price', { max_price: number() }, 'in under 30 minutes'],
    ['a price as a length of time', { minutes: whole() }, 'for $30'],
    ['a weight as a distance', { distance: number('How far') }, 'it is 4 kilos'],
    ['a length of time as an amount of money', { amount: number('Amount in euros') }, 'wait 30 minutes'],
    ['a count as an id', { ticket_id: whole() }, 'two tickets for the opera'],
    ['a price as a time', { time: text('HH:MM') }, 'max 120 a night'],
    ['the sun as a Sunday', { date: text('YYYY-MM-DD') }, 'when does the sun set'],
    ['a name as digits', { last_four: text('Last four digits') }, 'freeze the card of Gaby'],
  ])('does not read %s', (_, properties, message) => {
    expect(fill(properties, message)).toEqual({});
  });

  it('leaves out an option that the clause denies', () => {
    const permission = { enum: ['view', 'comment', 'edit'] };
    expect(fill({ permission }, "let her look at it, but she shouldn't edit or comment")).toEqual({
      permission: 'view',
    });
  });
});
