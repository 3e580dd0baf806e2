import { expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { AppError } from '../errors.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { offerTools } from '../tools/offer.ts';
import type { Tool } from '../tools/tool.ts';
import { runStateless } from './run-stateless.ts';

/** A turn whose process is asked to stop during the first of these calls. */
async function stopDuring(...others: Tool[]) {
  const stopper = new AbortController();
  const stop = buildTool({
    name: 'stop',
    async run() {
      stopper.abort(new AppError('shutting_down', { detail: 'The server is stopping.' }));
      return { result: 'done' };
    },
  });
  const turn = runStateless({
    agent: buildAgent({ loop: { parallel_tool_calls: 2 } }),
    user: ALICE,
    message: 'hello',
    model: createScriptedModel([{ calls: [stop, ...others].map(({ name }) => ({ name, arguments: {} })) }]),
    tools: offerTools([stop, ...others]).offered,
    signal: stopper.signal,
  });
  let next = await turn.next();
  while (!next.done) next = await turn.next();
  return next.value;
}

it('a turn whose process stops says so in words that hold for every front, and keeps what was done', async () => {
  expect(await stopDuring()).toMatchObject({
    status: 'interrupted',
    finish_reason: 'cancelled',
    content: 'The answer was interrupted. Everything done so far is kept.',
    tool_calls: [{ name: 'stop' }],
  });
});

it('a call that waits for an approval still waits, and one that was not yet written as running can begin later', async () => {
  const remove = buildTool({ name: 'remove', needsApproval: true });
  const { status, tool_calls } = await stopDuring(remove, buildTool({ name: 'beside' }), buildTool({ name: 'later' }));
  expect(status).toBe('interrupted');
  expect(tool_calls.map(({ name, state }) => [name, state])).toEqual([
    ['stop', 'unknown'],
    ['remove', 'waiting'],
    ['beside', 'failed'],
    ['later', 'pending'],
  ]);
});

it('a turn whose open calls all wait is left waiting, as after a crash', async () => {
  const { status, tool_calls } = await stopDuring(buildTool({ name: 'remove', needsApproval: true }));
  expect(status).toBe('waiting');
  expect(tool_calls.map(({ name, state }) => [name, state])).toEqual([
    ['stop', 'unknown'],
    ['remove', 'waiting'],
  ]);
});
