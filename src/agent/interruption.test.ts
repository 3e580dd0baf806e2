import { expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { AppError } from '../errors.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { offerTools } from '../tools/offer.ts';
import { runStateless } from './run-stateless.ts';

it('a turn whose process stops says so in words that hold for every front, and keeps what was done', async () => {
  const stopper = new AbortController();
  const stop = buildTool({
    name: 'stop',
    async run() {
      stopper.abort(new AppError('shutting_down', { detail: 'The server is stopping.' }));
      return { result: 'done' };
    },
  });
  const turn = runStateless({
    agent: buildAgent(),
    user: ALICE,
    message: 'hello',
    model: createScriptedModel([{ calls: [{ name: 'stop', arguments: {} }] }]),
    tools: offerTools([stop]).offered,
    signal: stopper.signal,
  });
  let next = await turn.next();
  while (!next.done) next = await turn.next();
  expect(next.value).toMatchObject({
    status: 'interrupted',
    finish_reason: 'cancelled',
    content: 'The answer was interrupted; what was done is kept.',
    tool_calls: [{ name: 'stop' }],
  });
});
