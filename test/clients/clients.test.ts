import { expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer } from '../server/server.ts';
import { runClient } from './run-client.ts';

const TIMEOUT = { timeout: 360_000 };

/** A model that does what its last message says. */
function openObedient(ran: unknown[]) {
  const remove = buildTool({
    name: 'remove',
    needsApproval: true,
    run: (args) => {
      ran.push(args);
      return 'removed';
    },
  });
  return openServer({
    tools: [remove, buildTool()],
    replies: ({ messages }) => {
      const last = messages.at(-1);
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      if (last?.role === 'tool') return `Done with ${asked}.`;
      if (asked.startsWith('remove')) return { calls: [{ name: 'remove', arguments: { text: 'all' } }] };
      if (asked.startsWith('use a tool')) return { calls: [{ name: 'echo', arguments: { text: 'a' } }] };
      if (asked.startsWith('fail')) return { error: new Error('broken') };
      if (asked.startsWith('hang')) return { text: 'x', hang: true };
      return asked.includes('Milk and bread') ? 'I read milk and bread.' : `You said ${asked}.`;
    },
  });
}

it(
  "A2A's own client: message, stream, approval, denial, failure, cancellation, and tasks of others",
  TIMEOUT,
  async () => {
    const ran: unknown[] = [];
    const { url, runtime } = await openObedient(ran);
    const lines = await runClient('a2a', url);
    const question = 'Allow remove with {"text":"all"}? Answer yes or no.';
    expect(lines).toEqual([
      { step: 'message', state: 3, text: 'You said hello.' },
      { step: 'read', state: 3, text: 'You said hello.' },
      {
        step: 'stream',
        seen: [['task', 2, true], 'You said again.', ['statusUpdate', 3, true]],
      },
      { step: 'asked', state: 6, text: '', says: question },
      { step: 'foreign', error: 'TaskNotFoundError' },
      { step: 'foreign answer', error: 'TaskNotFoundError' },
      { step: 'answered', state: 3, text: 'Done with remove all.' },
      { step: 'denied', state: 3, text: 'Done with remove all.' },
      { step: 'failed', state: 4 },
      { step: 'running', state: 2, text: '' },
      { step: 'cancelled', state: 5 },
      { step: 'cancelled twice', error: 'TaskNotCancelableError' },
    ]);
    expect(ran).toEqual([{ text: 'all' }]);
    expect(runtime.activeTurns).toBe(0);
  },
);

it("the AI SDK's chat: text, tool, regeneration, file, approval, denial, failure and stop", TIMEOUT, async () => {
  const ran: unknown[] = [];
  const { url, runtime } = await openObedient(ran);
  const lines = await runClient('ai', url);
  const usedTool = [['echo', 'output-available', { text: 'a' }], 'Done with use a tool.'];
  const asked = { step: 'asked', parts: [['remove', 'approval-requested', null]] };
  expect(lines).toEqual([
    { step: 'text', parts: ['You said hello.'], status: 'completed', hasSession: true },
    { step: 'tool', parts: usedTool, count: 4 },
    { step: 'regenerated', parts: expect.arrayContaining(['Done with use a tool.']), count: 4 },
    { step: 'file', parts: ['I read milk and bread.'] },
    asked,
    { step: 'approved', parts: [['remove', 'output-available', 'removed'], 'Done with remove all.'], count: 2 },
    asked,
    { step: 'denied', parts: [['remove', 'output-denied', null], 'Done with remove all.'], count: 2 },
    { step: 'failed', errors: 1, status: 'error' },
    { step: 'stopped', status: 'ready' },
  ]);
  expect(ran).toEqual([{ text: 'all' }]);
  await expect.poll(() => runtime.activeTurns).toBe(0);
});
