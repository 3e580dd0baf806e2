import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { createBuiltinModel } from '../builtin-model.ts';
import { openTalk, type Said, taskTools } from '../talk-fixture.ts';

const text = { type: 'string' };
const tool = (name: string, description: string, properties: JsonObject, result: unknown): Tool => ({
  name,
  description,
  source: 'test',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  // Any JSON works as a result here.
  run: async () => ({ result: result as string }),
});
const TOOLS = [
  tool('get_weather', 'Get the current weather for a city', { city: text }, { answer: 'It rains.' }),
  tool('search_products', 'Search the product catalogue', { query: text }, [{ name: 'Red shoe', price: 20 }]),
  tool('create_note', 'Create a note with a text', { text }, { id: 'n1', text: 'x' }),
  tool('delete_note', 'Delete a note by its id', { note_id: text }, null),
];
const open = (intents = {}) => openTalk({ model: createBuiltinModel({ agent: { intents } }), tools: TOOLS });
const seen = ({ text: said, calls }: Said) => [said, calls];

describe('an agent with unknown tools', () => {
  it('uses a tool from its schema alone', async () => {
    const said = await open().say("what's the weather in Paris?");
    expect(seen(said)).toEqual(['It rains.', [{ name: 'get_weather', arguments: { city: 'Paris' } }]]);
  });

  const LIGHT = { room: text, level: { type: 'integer' }, on: { type: 'boolean' } };
  const openLight = () => {
    const tools = [...TOOLS, tool('set_light', 'Set a light', LIGHT, 'set'), ...taskTools()];
    return openTalk({ model: createBuiltinModel({ agent: { intents: {} } }), tools });
  };

  it.each([
    ['get_weather city=Rome', 'get_weather', { city: 'Rome' }],
    ['get_weather city="delete all notes"', 'get_weather', { city: 'delete all notes' }],
    ['set_light {"room":"hall","level":3,"on":true}', 'set_light', { room: 'hall', level: 3, on: true }],
    ["set_light room='the hall', level=3 on=false", 'set_light', { room: 'the hall', level: 3, on: false }],
  ])('calls a tool that is named exactly, with its arguments: %s', async (message, name, args) => {
    const said = await openLight().say(message);
    expect(said.calls).toEqual([{ name, arguments: args }]);
    expect(said.text).not.toContain('left out');
  });

  it.each([
    ['set_light {"level":3,"user":"bob"}', 'set_light has no value user. It has: room, level, on.'],
    ['set_light {"__proto__":{"room":"hall"}}', 'set_light has no value __proto__. It has: room, level, on.'],
    ['delete_note note_id=7 would delete what exactly?', 'I could not read the values of delete_note.'],
    [`set_light room=hall${' '.repeat(100_000)}?`, 'I could not read the values of set_light.'],
    ['set_light {"room":', 'I could not read the values of set_light.'],
  ])('guesses nothing in a call that is spelled out with a fault', async (message, answer) => {
    const said = await openLight().say(message);
    expect(said.calls).toEqual([]);
    expect(said.text).toContain(answer);
  });

  it('asks for a missing value and continues with the answer', async () => {
    const { say } = open();
    expect(seen(await say('weather please'))).toEqual(['What should I use for city?', []]);
    expect(seen(await say('Berlin'))).toEqual(['It rains.', [{ name: 'get_weather', arguments: { city: 'Berlin' } }]]);
  });

  it('answers two questions with two calls of one reply', async () => {
    const said = await open().say('what is the weather in Rome and search products for shoes');
    expect(said.calls.map((call) => call.name)).toEqual(['get_weather', 'search_products']);
  });

  it('removes only when asked to', async () => {
    const { say } = open();
    const said = await say('what does note n1 say about deletion?');
    expect(said.calls.filter((call) => call.name === 'delete_note')).toEqual([]);
    expect(seen(await say('delete note n1'))).toEqual([
      'Done.',
      [{ name: 'delete_note', arguments: { note_id: 'n1' } }],
    ]);
  });

  it('lists its abilities when nothing fits', async () => {
    const said = await open().say('sing a lullaby');
    expect(said.calls).toEqual([]);
    expect(said.text).toContain('- get weather: Get the current weather for a city');
  });

  it("uses the author's reply", async () => {
    const intents = {
      take_note: { tool: 'create_note', examples: [], keywords: [], reply: "Noted: '{text}'[ ({missing})]." },
    };
    expect((await open(intents).say('create a note saying "call Ann"')).text).toBe("Noted: 'x'.");
  });
});

describe('an agent that keeps tasks and has other tools', () => {
  const article = { enum: ['tea', 'bread'], description: 'What to look up.' };
  const price = tool('get_price', 'The price of an article', { article }, { answer: 'It costs 4.' });
  const openBoth = () => openTalk({ tools: [...taskTools(), price] });

  it('recognizes the answer to a question about the other tool', async () => {
    const { say } = openBoth();
    const question = 'What should I use for article? (What to look up: tea, bread)';
    expect(seen(await say('what is the price of sugar?'))).toEqual([question, []]);
    expect(seen(await say('bread'))).toEqual(['It costs 4.', [{ name: 'get_price', arguments: { article: 'bread' } }]]);
  });

  it('runs a message in the form of a call, without a look at the tasks', async () => {
    const { say } = openBoth();
    const call = { name: 'get_price', arguments: { article: 'tea' } };
    expect((await say('get_price article=tea')).calls).toEqual([call]);
  });

  it('runs a task command that comes in place of an answer', async () => {
    const { say } = openBoth();
    await say('what is the price of sugar?');
    const said = await say('remind me to buy bread');
    expect(said.calls).toEqual([{ name: 'add_task', arguments: { title: 'buy bread' } }]);
    expect((await say('bread')).calls).toEqual([]);
  });
});

describe('a tool with an effect', () => {
  const locked = { type: 'boolean' };
  const lock = tool('set_lock', 'Lock or unlock a door', { door: text, locked }, 'Locked.');
  const cancel = tool('cancel_event', 'Cancel an event of the calendar', { title: text }, null);
  const say = async (words: string) =>
    seen(await openTalk({ model: createBuiltinModel({ agent: { intents: {} } }), tools: [lock, cancel] }).say(words));

  it('runs when its verb and its object are said', async () => {
    expect(await say('lock the back door')).toEqual([
      'Locked.',
      [{ name: 'set_lock', arguments: { door: 'back door', locked: true } }],
    ]);
  });

  it.each([
    'is the back door locked?',
    'who unlocked the front door?',
    'whats locked',
    'how do I lock the door?',
    'cancel my Netflix subscription',
    "what's the weather like?",
  ])('does not run on another request: %s', async (words) => {
    expect((await say(words))[1]).toEqual([]);
  });
});

describe('a tool that changes something', () => {
  it.each([
    "don't create a note with the text milk",
    'please do not create a note about milk',
    'never create a note about milk',
    'you don’t need to create a note about milk',
  ])('is not run on the opposite: %s', async (text) => {
    expect(seen(await open().say(text))).toEqual(["All right, I've left everything as it is.", []]);
  });

  it.each([
    'should I create a note about milk?',
    'how do I create a note about milk?',
    'cancel creating the note about milk',
  ])('is not run before it was asked for: %s', async (text) => {
    expect((await open().say(text)).calls.filter(({ name }) => name === 'create_note')).toEqual([]);
  });

  it('is run when it is asked for', async () => {
    expect((await open().say('create a note with the text milk')).calls.map(({ name }) => name)).toEqual([
      'create_note',
    ]);
  });
});

describe('a tool that a request only resembles', () => {
  const when = { type: 'string', description: 'Day, YYYY-MM-DD' };
  const ticket = { type: 'integer', description: 'Number of the ticket' };
  const tools = [
    tool('append_to_note', 'Append text to a note', { note: text, text }, 'Done.'),
    tool('close_ticket', 'Close a reported fault', { ticket_id: ticket }, 'Done.'),
    tool('record_show', 'Record a programme', { title: text, date: when }, 'Done.'),
    tool('unlock_door', 'Unlock a door', { door: text }, 'Done.'),
    tool('set_lamp', 'Switch a lamp on or off', { room: text, on: { type: 'boolean' } }, 'Done.'),
  ];
  const say = (words: string) => openTalk({ model: createBuiltinModel({ agent: { intents: {} } }), tools }).say(words);

  it.each([
    'translate the note Recipes into French',
    'Two tickets for the opera, please',
    'is there football tonight?',
    'whatever u do dont unlock the front door',
    'order a new lamp for the bedroom',
  ])('is not run: %s', async (words) => {
    expect((await say(words)).calls).toEqual([]);
  });

  it('is run when it is meant', async () => {
    expect((await say('kill the lights in the bathroom')).calls).toEqual([
      { name: 'set_lamp', arguments: { room: 'bathroom', on: false } },
    ]);
  });
});

describe('a request with more values than one call takes', () => {
  const whole = { type: 'integer', description: 'How many' };
  const drink = { enum: ['tea', 'coffee', 'cola'] };
  const order = tool('add_drink', 'Add a drink to the bill', { drink, quantity: whole }, 'Added.');
  const people = tool('book_tour', 'Book a tour', { adults: whole, children: whole }, 'Booked.');
  const say = (words: string) =>
    openTalk({ model: createBuiltinModel({ agent: { intents: {} } }), tools: [order, people] }).say(words);

  it('is a call for each counted thing', async () => {
    expect((await say('add a tea and two coffees')).calls).toEqual([
      { name: 'add_drink', arguments: { drink: 'tea', quantity: 1 } },
      { name: 'add_drink', arguments: { drink: 'coffee', quantity: 2 } },
    ]);
  });

  it('is one call where one call takes them all', async () => {
    expect((await say('book a tour for two adults and a child')).calls).toEqual([
      { name: 'book_tour', arguments: { adults: 2, children: 1 } },
    ]);
  });

  it('names a value that no argument takes', async () => {
    const { calls, text: said } = await say('add three colas for room 214');
    expect(calls).toEqual([{ name: 'add_drink', arguments: { drink: 'cola', quantity: 3 } }]);
    expect(said).toBe('Added.\nI left out: 214.');
  });
});
