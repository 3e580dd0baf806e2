import { expect, it } from 'vitest';
import { openServer, readAnswer, readFrames } from './server.ts';

const user = (content: string) => ({ id: 'm', role: 'user', content });
const run = (runId: string, content: string) => ({
  threadId: 't',
  runId,
  protocolVersion: '1.0',
  messages: [user(content)],
});

it('a key of REST never means a run of AG-UI', async () => {
  const { call, model, runtime } = await openServer({ replies: () => 'Hi.' });
  await readFrames(await call('POST /awp', { body: run('r', 'hello') }));
  const headers = { 'idempotency-key': 'ag-ui:["t","r"]' };
  const answer = await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers });
  expect(answer.status).toBe(200);
  expect(model.requests).toHaveLength(2);
  const { session_id } = await readAnswer(answer);
  const again = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers }));
  expect([again.session_id, model.requests.length, runtime.activeTurns]).toEqual([session_id, 2, 0]);
});

it('a key of REST gives its turn no run id of AG-UI', async () => {
  const { call } = await openServer({ replies: ['Hi.'] });
  const headers = { 'idempotency-key': 'ag-ui:["t","of another run"]' };
  const { session_id } = await readAnswer(
    await call('POST /agent/helper/chat', { body: { message: 'hello' }, headers }),
  );
  const frames = await readFrames(await call(`GET /sessions/${session_id}/events?format=ag-ui`));
  expect(frames[0]?.data).toMatchObject({ type: 'RUN_STARTED', threadId: session_id });
  expect(frames[0]?.data.runId).not.toBe('of another run');
});
