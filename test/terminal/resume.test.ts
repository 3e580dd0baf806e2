import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProgram, writeAgent } from '../tools/program.ts';
import { call, openWorld, type Session, say, type World } from './session.ts';

const CTRL_D = '\u0004';
const never = new Promise<never>(() => {});

async function talkOnce(world: World, message: string, answer: string): Promise<void> {
  const session = world.chat();
  await session.until(/\n>/);
  session.type(`${message}\r`);
  await session.until(answer);
  await leave(session);
}

async function leave(session: Session): Promise<void> {
  await session.until(/\n> ?$/);
  session.type(CTRL_D);
  expect(await session.exit).toBe(0);
}

describe('--resume', () => {
  it('shows the end of the last conversation and continues it', async () => {
    const world = await openWorld([say('The **first** answer.'), say('The second answer.')]);
    await talkOnce(world, 'a first question', 'The first answer.');
    const session = world.chat(['--resume']);
    const screen = await session.until(/\n> ?$/);
    expect(screen).toContain('> a first question\nThe first answer.');
    session.type('and then?\r');
    await session.until('The second answer.');
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('a first question');
  });

  it('reports that there is nothing to resume, with exit code 1', async () => {
    const world = await openWorld([say('hi')]);
    const session = world.chat(['--resume']);
    await session.until('no such conversation');
    expect(await session.exit).toBe(1);
  });
});

describe('a chat that was killed in the middle of an answer', () => {
  it('offers to continue, runs nothing again, and ends the answer', async () => {
    const world = await openWorld([
      call(['look', { city: 'Oslo' }]),
      say('The sky is', never),
      say('The sky is clear.'),
    ]);
    const first = world.chat();
    await first.until(/\n>/);
    first.type('how is Oslo?\r');
    await first.until('The sky is');
    first.kill('SIGKILL');
    await first.exit;
    const second = world.chat();
    await second.until('The last answer was interrupted after look. Nothing was run twice. Continue? [y]');
    second.type('\r');
    await second.until('The sky is clear.');
    const results = JSON.stringify(world.model.requests.at(-1)?.body).split('sky\\":').length - 1;
    expect(results).toBe(1);
  });
});

describe('/sessions, /resume, /clear and /save', () => {
  it('move between conversations, and write one to a new file that is never overwritten', async () => {
    const world = await openWorld([say('One.'), say('Two.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('first topic\r');
    await session.until('One.');
    session.type('/clear\r');
    await session.until('a new conversation');
    session.type('second topic\r');
    await session.until('Two.');
    session.type('/sessions\r');
    const listed = await session.until('/resume with a number');
    expect(listed).toMatch(/\* {2}1 {2}second topic[\s\S]* 2 {2}first topic/);
    session.type('/resume 2\r');
    await session.until(/resumed {2}first topic/);
    const path = join(world.folder, 'talk.md');
    session.type(`/save ${path}\r`);
    await session.until('saved to');
    session.type(`/save ${path}\r`);
    await session.until('already exists');
    expect(readFileSync(path, 'utf8')).toMatch(/\*\*You\*\*[\s\S]*first topic[\s\S]*\*\*helper\*\*[\s\S]*One\./);
  });
});

describe('a conversation that was summed up', () => {
  it('shows the command, not the words that asked the model, when it is resumed or saved', async () => {
    const world = await openWorld([say('One.'), say('In short: one.')]);
    const first = world.chat();
    await first.until(/\n>/);
    first.type('first topic\r');
    await first.until('One.');
    first.type('/compact\r');
    await first.until('In short: one.');
    first.kill('SIGTERM');
    await first.exit;
    const session = world.chat(['--resume']);
    const screen = await session.until(/\n> ?$/);
    expect(screen).toContain('> first topic\nOne.\n> /compact\nIn short: one.\n>');
    const path = join(world.folder, 'talk.md');
    session.type(`/save ${path}\r`);
    await session.until('saved to');
    expect(readFileSync(path, 'utf8')).toMatch(/\*\*You\*\* · \S+\n\n\/compact\n/);
  });
});

describe('/resume with a number', () => {
  it('takes the one that the list would show, also before it was shown', async () => {
    const world = await openWorld([say('One.')]);
    await talkOnce(world, 'first topic', 'One.');
    const session = world.chat();
    await session.until(/\n>/);
    session.type('/resume 1\r');
    await session.until(/resumed {2}first topic/);
  });
});

describe('/resume without a number', () => {
  it('goes back to the last other conversation, never to the one it is in', async () => {
    const world = await openWorld([say('One.'), say('Two.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('first topic\r');
    await session.until('One.');
    session.type('/resume\r');
    await session.until('There is no other conversation to resume');
    session.type('/clear\r');
    await session.until('a new conversation');
    session.type('second topic\r');
    await session.until('Two.');
    session.type('/resume\r');
    await session.until(/resumed {2}first topic/);
    session.type('/sessions\r');
    await session.until(/\* +2 +first topic/);
    session.type('/resume 2\r');
    await session.until('This conversation is already open.');
  });
});

describe('/compact', () => {
  it('makes a summary, and later turns send it in place of the earlier messages', async () => {
    const world = await openWorld([say('One.'), say('We spoke about topic alpha.'), say('Three.')]);
    const session = world.chat();
    await session.until(/\n>/);
    session.type('topic alpha in detail\r');
    await session.until('One.');
    session.type('/compact\r');
    await session.until('Nothing was deleted.');
    session.type('go on\r');
    await session.until('Three.');
    const sent = JSON.stringify(world.model.requests.at(-1)?.body);
    expect(sent).toContain('We spoke about topic alpha.');
    expect(sent).not.toContain('topic alpha in detail');
  });
});

describe('the context', () => {
  it('is warned about at 80 %, with advice', async () => {
    const world = await openWorld([say('ok')]);
    const session = world.chat(['-m', '5']);
    await session.until(/\n>/);
    session.type('one\r');
    await session.until('2 of 5 messages ·');
    session.type('two\r');
    await session.until(/4 of 5 messages[\s\S]*\/compact [\s\S]*\/clear [\s\S]*\/save/);
  });

  it('is never counted above its limit, and dropped messages are reported once', async () => {
    const world = await openWorld([say('ok')]);
    const session = world.chat(['-m', '4']);
    await session.until(/\n>/);
    for (const message of ['one', 'two', 'three', 'four']) {
      session.type(`${message}\r`);
      await session.until(new RegExp(`> ${message}\\nok .*\\d of 4 messages · `));
    }
    const screen = await session.until(/\n> ?$/);
    expect(screen.match(/\d of 4 messages ·/g)?.map((text) => text[0])).toEqual(['2', '4', '4', '4']);
    expect(screen.match(/no longer sent/g)).toHaveLength(1);
  });
});

const TASKS = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };

async function run(folder: string, ...args: string[]) {
  const program = startProgram(folder, ['run', 'agent.yaml', ...args, '--json'], '');
  const code = await program.ended;
  const events = program
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  return { code, stderr: program.stderr(), id: events[0]?.conversation_id, content: events.at(-1)?.result?.content };
}

describe('holodeck run --resume', () => {
  it('continues the last conversation, or the one that it names', { timeout: 60_000 }, async () => {
    const instructions = 'Help. Only work with data of the authenticated user.';
    const folder = writeAgent({ instructions, tools: [TASKS] });
    const first = await run(folder, 'remind me to buy milk');
    const other = await run(folder, 'remind me to call Ann');
    expect(other.id).not.toBe(first.id);
    const last = await run(folder, 'mark it as done', '--resume');
    expect([last.code, last.id, last.content]).toEqual([0, other.id, expect.stringContaining('call Ann')]);
    const named = await run(folder, 'mark it as done', '--resume', first.id);
    expect([named.code, named.id, named.content]).toEqual([0, first.id, expect.stringContaining('buy milk')]);
  });

  it('ends with an error if there is no such conversation', { timeout: 60_000 }, async () => {
    const { code, stderr } = await run(writeAgent({}), 'hello', '--resume', '01K00000000000000000000000');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no such conversation to resume')]);
  });
});
