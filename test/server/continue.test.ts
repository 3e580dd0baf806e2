import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildTool } from '../build.ts';
import { openInterrupted, openServer, readAnswer, readFrames } from './server.ts';

const OTHER_PROCESS = join(import.meta.dirname, '..', 'fixtures', 'other-process.ts');
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

/** A tool that counts its runs, and a turn that was interrupted after one of them. */
async function openCut(later: Parameters<typeof openInterrupted>[0]['later'] = ['Whole again.']) {
  let runs = 0;
  const echo = buildTool({
    run() {
      runs++;
      return 'done';
    },
  });
  const replies = [callEcho, { text: 'Half of an ans', hang: true }];
  const opened = await openInterrupted({ replies, later, tools: [echo] });
  return { ...opened, runs: () => runs };
}

describe('POST /sessions/{id}/continue', () => {
  it('finishes the turn from its journal, and runs no finished call again', async () => {
    const { call, id, runs, model } = await openCut();
    const response = await call(`POST /sessions/${id}/continue`);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'completed', content: 'Whole again.', session_id: id, tool_calls: [{ state: 'completed' }] },
    ]);
    expect(runs()).toBe(1);
    const [request] = model.requests;
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    const { messages } = await readAnswer(await call(`GET /sessions/${id}`));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const { turns } = (await (await call(`GET /sessions/${id}/turns`)).json()) as { turns: object[] };
    expect(turns).toMatchObject([{ status: 'completed', attempt: 2, run_id: 'run 1' }]);
  });

  it('streams the whole turn to a client that accepts events, and withdraws outdated text', async () => {
    const { call, id, runs } = await openCut();
    const headers = { accept: 'text/event-stream' };
    const frames = await readFrames(await call(`POST /sessions/${id}/continue`, { headers }));
    const kinds = frames.map(({ data }) => data.type);
    expect([kinds[0], kinds.at(-1), kinds.filter((kind) => kind === 'tool_call_end').length]).toEqual([
      'stream_start',
      'stream_end',
      1,
    ]);
    const text = frames.reduce((told, { data }) => {
      if (data.type === 'message_reset') return String(data.content);
      return data.type === 'message_delta' ? told + String(data.delta) : told;
    }, '');
    expect([text, runs()]).toEqual(['Whole again.', 1]);
  });

  it('answers 202 at once with respond-async, and the turn continues without its client', async () => {
    const { call, id } = await openCut();
    const accepted = await call(`POST /sessions/${id}/continue`, { headers: { prefer: 'respond-async' } });
    expect([accepted.status, accepted.headers.get('location'), await accepted.json()]).toMatchObject([
      202,
      `/sessions/${id}/events`,
      { session_id: id, status: 'running' },
    ]);
    const status = async () => (await readAnswer(await call(`GET /sessions/${id}`))).turn.status;
    await expect.poll(status).toBe('completed');
  });

  it('is one attempt for two requests at once, and the same attempt under one key', async () => {
    const { call, id, model } = await openCut([{ text: 'Whole again.', delayMs: 300 }]);
    const key = { 'idempotency-key': 'k' };
    const first = call(`POST /sessions/${id}/continue`, { headers: key });
    await expect.poll(() => model.requests.length).toBe(1);
    const other = await call(`POST /sessions/${id}/continue`);
    const same = await call(`POST /sessions/${id}/continue`, { headers: key });
    expect([other.status, (await readAnswer(other)).code]).toEqual([409, 'turn_running']);
    expect([(await readAnswer(await first)).content, (await readAnswer(same)).content]).toEqual([
      'Whole again.',
      'Whole again.',
    ]);
    const again = await call(`POST /sessions/${id}/continue`, { headers: key });
    expect([(await readAnswer(again)).content, model.requests.length]).toEqual(['Whole again.', 1]);
  });

  it.each([
    ['has ended', ['Done.'], 'not_interrupted'],
    ['waits', [{ calls: [{ name: 'remove' }] }], 'awaiting_input'],
  ])('is 409 when the last turn %s', async (_what, replies, code) => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const { call } = await openServer({ replies, tools: [remove] });
    const { session_id: id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
    const response = await call(`POST /sessions/${id}/continue`);
    expect([response.status, (await readAnswer(response)).code]).toEqual([409, code]);
  });

  it('continues a turn of a process that was killed, also before anything has noticed', async () => {
    const { call, folder } = await openServer({ replies: ['From here.'] });
    const child = spawn(process.execPath, [OTHER_PROCESS, folder, 'hang'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const busy = await call(`POST /sessions/${line}/continue`);
    expect([busy.status, (await readAnswer(busy)).code]).toEqual([409, 'turn_running']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readAnswer(await call(`POST /sessions/${line}/continue`))).toMatchObject({ content: 'From here.' });
  });

  it('does not repeat a call with an unknown outcome', async () => {
    let runs = 0;
    const slow = buildTool({
      name: 'pay',
      run: () => {
        runs++;
        return new Promise(() => {});
      },
    });
    const pay = { calls: [{ name: 'pay', arguments: {} }] };
    const { call, folder, runtime } = await openServer({ replies: [pay], tools: [slow] });
    const prefer = { prefer: 'respond-async' };
    const accepted = await call('POST /agent/helper/chat', { body: { message: 'pay' }, headers: prefer });
    const { session_id: id } = await readAnswer(accepted);
    await expect.poll(() => runs).toBe(1);
    await runtime.stop();
    const after = await openServer({ replies: ['I do not know.'], tools: [slow], folder });
    const answer = await readAnswer(await after.call(`POST /sessions/${id}/continue`));
    expect([answer.content, answer.tool_calls, runs]).toMatchObject(['I do not know.', [{ state: 'unknown' }], 1]);
  });

  it('is 404 for an agent that is not served here, and the turn can be continued where it is', async () => {
    const opened = await openCut();
    await opened.runtime.stop();
    const stranger = await openServer({ folder: opened.folder, replies: [], agent: { name: 'stranger' } });
    const refused = await stranger.call(`POST /sessions/${opened.id}/continue`);
    expect([refused.status, (await readAnswer(refused)).code]).toEqual([404, 'agent_not_found']);
    const status = (await readAnswer(await stranger.call(`GET /sessions/${opened.id}`))).turn.status;
    expect(status).toBe('interrupted');
    const known = await openServer({ folder: opened.folder, replies: ['Whole again.'] });
    const answer = await readAnswer(await known.call(`POST /sessions/${opened.id}/continue`));
    expect(answer.content).toBe('Whole again.');
  });

  it('takes no body', async () => {
    const { call, id } = await openCut();
    const refused = await call(`POST /sessions/${id}/continue`, { body: [{ call_id: 'x', approved: true }] });
    expect(refused.status).toBe(422);
    expect((await call(`POST /sessions/${id}/continue`, { body: {} })).status).toBe(200);
  });
});
