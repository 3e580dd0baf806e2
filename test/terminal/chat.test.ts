import { execSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../runtime.ts';
import { call, openWorld, say, startSession } from './session.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const never = new Promise<never>(() => {});

describe('the first screen', () => {
  it('shows the agent, the model, the data folder and examples; a letter tries one', async () => {
    const data = temporaryFolder();
    const session = startSession(['--data', data]);
    const screen = await session.until(/\n>/);
    expect(screen).toContain('todo-assistant (ships with HoloDeck)');
    expect(screen).toContain('built-in, no API key needed');
    expect(screen).toContain(`data     ${data}`);
    expect(screen).toContain('a  remind me to buy milk tomorrow');
    session.type('a\r');
    const answer = await session.until(/ 2 of 50 messages · \d+\.\d\d s/);
    expect(answer).toContain("I've added 'buy milk' to your tasks, due tomorrow.");
    expect(answer).toMatch(/▸ add_task {2}title "buy milk", due \w{3} \d+ \w{3} +✓ \d+ ms/);
    session.type(CTRL_D);
    expect(await session.exit).toBe(0);
  });
});

describe('an answer', () => {
  it('is shown as it comes, as Markdown', async () => {
    const gate = Promise.withResolvers<void>();
    const world = await openWorld([
      say('# Plan\n\nFirst **bold** wo', gate.promise, 'rds.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
    ]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('plan it\r');
    await session.until('First bold wo');
    gate.resolve();
    const screen = await session.until('12 in, 7 out');
    const shown = screen.slice(screen.indexOf('Plan\n')).split('\n');
    expect(shown.slice(0, 9)).toEqual(['Plan', '', 'First bold words.', '', '• one', '• two', '', 'a  b', '─  ─']);
  });

  it('shows calls that run at the same time in their order, with state and time', async () => {
    const world = await openWorld([
      call(['look', { city: 'Oslo' }], ['look', { city: 'Rome' }]),
      say('Both are clear.'),
    ]);
    const release = world.hold('Oslo');
    const session = world.chat();
    await session.until(/\n>/);
    session.type('weather?\r');
    await session.until(/look {2}city "Oslo" +[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [\s\S]*Rome" +✓/);
    release();
    const screen = await session.until('Both are clear.');
    expect(screen).toMatch(/Oslo" +✓ [\d.]+ m?s[\s\S]*Rome" +✓ [\d.]+ m?s/);
  });

  it('has colours, and none with NO_COLOR', async () => {
    const style = /\u001b\[\d+m/;
    const world = await openWorld([say('**bold**')]);
    const plain = world.chat();
    await plain.until(/\n>/);
    plain.type('go\r');
    await plain.until('12 in, 7 out');
    expect(plain.bytes).not.toMatch(style);
    const coloured = world.chat([], { env: { NO_COLOR: '' } });
    await coloured.until(/\n>/);
    expect(coloured.bytes).toMatch(style);
  });

  it('is never broken by its own output', async () => {
    const world = await openWorld([say('safe \u001b[2J\u001b', ']0;title\u0007 and\u202e reversed\u{e0041}\r\nend')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('attack\r');
    const screen = await session.until('12 in, 7 out');
    expect(screen).toContain('safe  and reversed\nend');
    expect(session.bytes).not.toMatch(/\u001b\[2J|title|\u202e|\u{e0041}/u);
  });
});

describe('Ctrl+C', () => {
  it('once stops the answer and keeps its text; twice leaves with the words to come back', async () => {
    const world = await openWorld([say('The beginning of a long ans', never)]);
    const session = world.chat();
    const welcome = await session.until(/\n>/);
    expect(welcome.replaceAll(/\s+/g, ' ')).toContain(` serve ${world.agent} --data ${world.data} --open `);
    session.type('tell me\r');
    await session.until('long ans');
    session.type(CTRL_C);
    const stopped = await session.until('stopped');
    expect(stopped).toContain('The beginning of a long ans');
    session.type(CTRL_C);
    const left = await session.until(/--resume [0-9A-Z]{26}/);
    expect(left).toContain('Continue this conversation with:\n');
    expect(left).toContain(` chat ${world.agent} --data ${world.data} --resume `);
    expect(await session.exit).toBe(130);
    const command = /^(?:node|npm start) .*--resume [0-9A-Z]{26}$/m.exec(left)?.[0] ?? 'none';
    const env = { ...process.env, MODEL_URL: `${world.model.url}/v1` };
    expect(() => execSync(command, { env, input: '', stdio: 'pipe' })).not.toThrow();
  });

  it('clears typed text before it leaves', async () => {
    const world = await openWorld([say('hi')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type(`half a sent${CTRL_C}`);
    await session.until(/> half a sent\n>/);
    session.type('exit\r');
    expect(await session.exit).toBe(0);
    expect(world.model.requests).toEqual([]);
  });
});

describe('a command', () => {
  it('that does not exist names the nearest one; help fits into the window', async () => {
    const world = await openWorld([say('hi')]);
    const session = world.chat([], { columns: 60 });
    await session.until(/\n>/);
    session.type('/sesions\r');
    await session.until('/sesions is not a command, did you mean /sessions?');
    session.type('/xyzzy\r');
    await session.until('/xyzzy is not a command. /help lists the commands.');
    session.type('/help\r');
    const screen = await session.until('picks that');
    expect(screen.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });
});

describe('a letter', () => {
  it('picks an offered example also later, until an answer asks something itself', async () => {
    const world = await openWorld([say('Done.'), say('Which one?'), say('Fine.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('hello\r');
    await session.until('Done.');
    session.type('a\r');
    await session.until(/> a\n {2}how is the weather\?\nWhich one\?/);
    expect(lastMessage(world.model.requests)).toBe('how is the weather?');
    session.type('a\r');
    await session.until('Fine.');
    expect(lastMessage(world.model.requests)).toBe('a');
  });
});

describe('typing', () => {
  it('takes a paste of 5,000 characters over many lines as one message', async () => {
    const world = await openWorld([say('Read it.')]);
    const session = world.chat();
    await session.until(/\n>/);
    const text = Array.from({ length: 100 }, (_, line) => `line ${line} ${'x'.repeat(42)}`)
      .join('\n')
      .slice(0, 5000);
    session.type(`\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`);
    await session.until(text.slice(text.lastIndexOf('\n') + 1));
    session.type('\r');
    const screen = await session.until('Read it.');
    expect(screen).toContain('characters in all');
    expect(lastMessage(world.model.requests)).toBe(text);
  });

  it('continues in a new line after a backslash and after Alt+Enter', async () => {
    const world = await openWorld([say('Fine.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('one\\\rtwo\u001b\rthree\r');
    await session.until('Fine.');
    expect(lastMessage(world.model.requests)).toBe('one\ntwo\nthree');
  });

  it('keeps text that is typed while the answer comes', async () => {
    const gate = Promise.withResolvers<void>();
    const world = await openWorld([say('first', gate.promise), say('second')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('a question\r');
    await session.until('first');
    session.type('another one\r');
    gate.resolve();
    await session.until('second');
    expect(lastMessage(world.model.requests)).toBe('another one');
  });

  it('remembers typed lines over runs, in a file of the owner alone', async () => {
    const world = await openWorld([say('ok')]);
    const first = world.chat();
    await first.until(/\n>/);
    first.type('remember this line\r');
    await first.until('12 in, 7 out');
    first.type(CTRL_D);
    await first.exit;
    expect(statSync(join(world.data, 'history')).mode & 0o777).toBe(0o600);
    const second = world.chat();
    await second.until(/\n>/);
    second.type('\u001b[A');
    await second.until('> remember this line');
  });

  it('completes commands with Tab', async () => {
    const world = await openWorld([say('ok')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('/ses\t\r');
    await session.until('There is no conversation yet.');
  });

  it('attaches a file by its path as terminals paste it; Tab leaves room for the path', async () => {
    const world = await openWorld([say('ok')]);
    writeFileSync(join(world.folder, 'my  bill.txt'), 'Total 5');
    const session = world.chat();
    await session.until(/\n>/);
    session.type(`/at\t'${world.folder}/my  bill.txt'\r`);
    await session.until('With the next message: my  bill.txt');
    session.type(`/attach ${world.folder}/agent\r`);
    await session.until('is a folder. Give the path of a file in it.');
  });
});

function lastMessage(requests: readonly { body: unknown }[]): unknown {
  const body = requests.at(-1)?.body as { messages: { role: string; content: unknown }[] } | undefined; // the protocol's shape
  return body?.messages.findLast(({ role }) => role === 'user')?.content;
}
