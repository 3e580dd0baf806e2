import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, openWorld, say } from './session.ts';

const LONG_NAME = 'Llanfairpwllgwyngyllgogerychwyrndrobwll';

describe('a window of another size', () => {
  it('loses and doubles nothing of an answer that is being shown', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
    const world = await openWorld([
      say(
        `${words.slice(0, 18).join(' ')} `,
        gates[0].promise,
        `${words.slice(18, 40).join(' ')} `,
        gates[1].promise,
        words.slice(40).join(' '),
      ),
    ]);
    const session = world.chat([], { columns: 90 });
    await session.until(/\n>/);
    session.type('talk\r');
    await session.until('word17');
    session.resize(40, 20);
    await new Promise((resolve) => setTimeout(resolve, 200));
    gates[0].resolve();
    await session.until('word39');
    session.resize(120, 30);
    await new Promise((resolve) => setTimeout(resolve, 200));
    gates[1].resolve();
    const screen = await session.until('word59');
    expect(screen.match(/word\d+/g)).toEqual(words);
  });

  it('shows running calls and typed text once and whole', async () => {
    const world = await openWorld([
      call(['look', { city: LONG_NAME }], ['look', { city: 'Oslo' }]),
      say('Both are clear.'),
    ]);
    const releases = [world.hold(LONG_NAME), world.hold('Oslo')];
    const session = world.chat([], { columns: 100 });
    await session.until(/\n>/);
    session.type('weather?\r');
    await session.until(/Oslo.*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /);
    session.resize(44, 30);
    // Both calls appear once while they run. A frame may arrive in two pieces.
    await session.until(/^[^▸]*▸[^▸]*Llanfairpwllg[^▸\n]*… +[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^▸]*▸[^▸]*$/);
    session.resize(100, 30);
    for (const release of releases) release();
    await session.until('Both are clear.');
    const typed = 'a line that is being typed and is longer than the window will be';
    session.type(typed);
    await session.until(typed);
    session.resize(44, 30);
    await session.until(/> a line that is being typed and is longer \n {2}than/);
    session.resize(100, 30);
    const screen = await session.until(typed);
    expect(screen.match(/▸/g)).toHaveLength(2);
    expect(screen.match(/a line that/g)).toHaveLength(1);
  });
});

describe('a window of another size that the program has not heard of yet', () => {
  it('shows calls that run once, whatever was written for the old size', async () => {
    const world = await openWorld([call(['look', { city: LONG_NAME }], ['look', { city: 'Oslo' }])]);
    for (const city of [LONG_NAME, 'Oslo']) world.hold(city);
    const session = world.chat([], { columns: 100 });
    await session.until(/\n>/);
    session.type('weather?\r');
    for (const columns of [44, 100, 36]) {
      await session.until(/Oslo.*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /);
      session.resizeUnheard(columns, 30);
      const { length } = session.bytes;
      await expect.poll(() => session.bytes.slice(length), { timeout: 25_000 }).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏].*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/s);
      session.resize(columns, 30);
      // A frame may arrive in two pieces.
      await session.until(/^[^▸]*weather\?[^▸]*▸[^▸]*Llan[^▸\n]* [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^▸]*▸[^▸]*$/);
    }
    session.type('\u0003');
    const screen = await session.until('stopped');
    expect(screen.match(/▸/g)).toHaveLength(2);
    expect(screen.match(/> weather\?/g)).toHaveLength(1);
  });
});

describe('a table that is taller than the window', () => {
  it('shows each row once, also when a late one is wider than the others', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `| row${index} | some words about number ${index} |\n`);
    rows[35] = `| row35 | ${'a very long cell '.repeat(8)}|\n`;
    const world = await openWorld([say('| name | what |\n|---|---|\n', ...rows, '\nThat is all.')]);
    const session = world.chat([], { columns: 60, rows: 12 });
    await session.until(/\n>/);
    session.type('list\r');
    const screen = await session.until(/That is all.*12 in/);
    expect(screen.match(/row\d+/g)).toEqual(rows.map((_, index) => `row${index}`));
    expect(screen.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });
});

describe('-v', () => {
  it('shows steps with their deadlines, arguments and results', async () => {
    const world = await openWorld([call(['look', { city: 'Oslo' }]), say('Clear.')]);
    const session = world.chat(['-v']);
    await session.until(/\n>/);
    session.type('look\r');
    const screen = await session.until('12 in, 7 out');
    expect(screen).toContain('step 1 of 15 · 300 s for the model, 50 s a tool, 330 s in all');
    expect(screen).toMatch(/arguments {2}\{\n +"city": "Oslo"/);
    expect(screen).toMatch(/result {5}\{[\s\S]*"sky": "clear"/);
  });
});

describe('an agent.yaml that is edited while chatting', () => {
  it('is used from the next turn on; a broken one is refused with line and column', async () => {
    const world = await openWorld([say('ok')]);
    const session = world.chat();
    await session.until(/\n>/);
    const good = readFileSync(world.agent, 'utf8');
    writeFileSync(world.agent, good.replace('instructions: Help.', 'instructions: Help like a pirate.'));
    await session.until('agent.yaml has changed: the next message uses it.');
    session.type('hello\r');
    await session.until('12 in, 7 out');
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('Help like a pirate.');
    appendFileSync(world.agent, 'instuctions: twice\n');
    const screen = await session.until(/Still using the file from \d\d:\d\d/);
    expect(screen).toMatch(/agent\.yaml:\d+:1 instuctions: unknown key/);
    session.type('hello again\r');
    await session.until(/hello again[\s\S]*12 in, 7 out/);
  });

  it('leaves a running turn with the file that it began with', async () => {
    const gate = Promise.withResolvers<void>();
    const world = await openWorld([
      async (response) => {
        await gate.promise;
        await call(['look', { city: 'Oslo' }])(response);
      },
      say('Looked.'),
    ]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('look\r');
    await session.until('thinking');
    const good = readFileSync(world.agent, 'utf8');
    writeFileSync(world.agent, good.replace(/ {2}- \{ name: look.*\n/, '').replace('Help.', 'Changed.'));
    await new Promise((resolve) => setTimeout(resolve, 600));
    gate.resolve();
    const screen = await session.until('has changed');
    expect(screen).toMatch(/look .*✓[\s\S]*Looked\./);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).not.toContain('Changed.');
  });
});

describe('dumb', () => {
  it('a terminal that shows lines only gets plain lines, and can still be asked', async () => {
    const world = await openWorld([call(['wipe', { disk: 'a' }]), say('It is **wiped**.')]);
    const session = world.chat([], { env: { TERM: 'dumb', NO_COLOR: '' } });
    await session.until(/\n> ?$/);
    session.type('wipe it\r');
    await session.until('allow?');
    session.type('y\r');
    const screen = await session.until(/2 of 50 messages.*\n> ?$/);
    expect(screen).toMatch(/▸ wipe {2}disk "a" +✓ [\d.]+ m?s\nIt is \*\*wiped\*\*\.\n/);
    session.type('\u0004');
    expect(await session.exit).toBe(0);
    expect(session.bytes).not.toContain('\u001b');
  });
});
