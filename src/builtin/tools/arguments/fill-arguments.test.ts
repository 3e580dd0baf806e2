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

describe('everyday arguments', () => {
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
});

describe('remark arguments', () => {
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
});

describe('spoken arguments', () => {
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
});
