import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { User } from '../src/schema/user.ts';
import { openTaskStore } from '../src/tasks/open-task-store.ts';
import { ALICE, BOB, buildTool } from './build.ts';
import { COMMAND } from './command.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';
import { delegateTo, openTeam, send } from './team/team.ts';

/** Words without a common beginning: an index stores only the part of a word that differs from the one before. */
const SECRETS = { text: 'zq4wkjx7', title: 'jq8vplm3', answer: 'xk5tbnr9', deleted: 'vz3ghqd6', task: 'kx9wfjz2' };

/** Words that only a member's turn has: its task, its call and what the call returned. */
const OF_MEMBER = { task: 'wq7ntkz3', input: 'pj5xgvd8', result: 'mk9rzqt4', answer: 'gv2jxwp6' };

/** Prints the files of a folder that hold one of the words, as bytes on the disk. */
const FIND = `
  const [folder, ...words] = process.argv.slice(1);
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = entry.parentPath + '/' + entry.name;
    const bytes = entry.isFile() ? fs.readFileSync(path, 'latin1').toLowerCase() : '';
    if (words.some((word) => bytes.includes(word.slice(1)))) console.log(path);
  }`;

/** Reads in a process of its own: closing a database file here would drop the locks that this process has on it. */
function filesWith(folder: string, words: readonly string[]): string[] {
  const output = execFileSync(process.execPath, ['-e', FIND, folder, ...words], { encoding: 'utf8' });
  return output.split('\n').filter(Boolean);
}

async function erase(...words: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [COMMAND, 'db', 'erase-user', ...words])).stdout;
}

it('holodeck db erase-user erases from no database that is not named', async () => {
  await expect(erase(ALICE.id)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add the agent.yaml, or --data <folder>, of the database to erase from.'),
  });
});

it.each([
  ['of a stopped server', false],
  ['of a running server', true],
])('holodeck db erase-user leaves no word of the user in the files %s', async (_which, isRunning) => {
  const folder = temporaryFolder();
  const replies = (request: object) => (JSON.stringify(request).includes(SECRETS.text) ? SECRETS.answer : 'Fine.');
  const { runtime } = await openRuntime({ folder, replies });
  const say = async (user: typeof ALICE, message: string) => {
    const turn = await runtime.chat(user, { agent: 'helper', message });
    await collect(turn);
    return turn.conversationId;
  };
  const bobs = await say(BOB, 'mine stays');
  for (let index = 0; index < 5; index++) await say(ALICE, `${SECRETS.text} ${index} ${'words '.repeat(200)}`);
  // The index merges parts by itself where many of its entries are deleted.
  for (let index = 0; index < 60; index++) await say(BOB, `also stays ${index}`);
  const id = await say(ALICE, SECRETS.deleted);
  await runtime.updateConversation(ALICE, await say(ALICE, 'hello'), { title: SECRETS.title });
  await runtime.deleteConversation(ALICE, id);
  expect(await runtime.searchConversations(ALICE, { q: SECRETS.text, limit: 5 })).toHaveLength(5);
  const tasks = await openTaskStore({ database: undefined, folder });
  await tasks.addTask(ALICE.id, { title: SECRETS.task }, { callId: 'c1' });
  await tasks.close();
  if (!isRunning) await runtime.stop();
  const words = Object.values(SECRETS);
  expect(filesWith(folder, words)).not.toEqual([]);
  const place = `SQLite ${join(folder, 'holodeck.db')}`;
  expect(await erase(ALICE.id, '--data', folder)).toMatch(
    `Erased from ${place}: conversations 6, tasks 1. Audit records`,
  );
  expect(await erase(ALICE.id, '--data', folder)).toBe(`${place} has no conversation and no task of this user.\n`);
  expect(filesWith(folder, words)).toEqual([]);
  if (isRunning) {
    expect(await runtime.readMessages(BOB, bobs)).toHaveLength(2);
    await say(BOB, 'and still speaks');
  }
  await runtime.stop();
});

it('holodeck db erase-user leaves no word of the turns of members', async () => {
  const { task, input, result, answer } = OF_MEMBER;
  const { runtime, folder } = await openTeam({
    sub_agents: ['checker'],
    members: { checker: {} },
    tools: [buildTool({ name: 'look', inputSchema: { type: 'object' }, run: () => result })],
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', task)] } : 'Done.'),
      'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'look', arguments: { input } }] } : answer),
    },
  });
  await send(runtime, 'Check it');
  await send(runtime, 'Mine stays', {}, BOB);
  const words = Object.values(OF_MEMBER);
  expect(filesWith(folder, words)).not.toEqual([]);
  const erase = (user: User) =>
    promisify(execFile)(process.execPath, [COMMAND, 'db', 'erase-user', user.id, '--data', folder]);
  await erase(ALICE);
  expect(filesWith(folder, words)).not.toEqual([]);
  await erase(BOB);
  expect(filesWith(folder, words)).toEqual([]);
});
