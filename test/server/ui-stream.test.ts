import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer } from './server.ts';

const GO_ON = { prefer: 'respond-async' };
const hello = (id: string) => ({ id, messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] }] });

/** The chunks of a UI message stream, without their delta sizes: those depend on timing. */
async function readChunks(response: Response) {
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
  const chunks = lines.map((line) => JSON.parse(line.slice(6)) as { type: string; messageId?: string; delta?: string });
  const text = chunks.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join('');
  const types = chunks.map(({ type }) => type).filter((type) => type !== 'text-delta');
  return { messageId: chunks[0]?.messageId, types, text };
}

describe('GET /agent/{name}/ui/{id}/stream', () => {
  it('is 204 for a chat that is new, that has ended, that waits, or that is of somebody else', async () => {
    const wipe = buildTool({ name: 'wipe', needsApproval: true });
    const replies = ['Hi.', { calls: [{ name: 'wipe', arguments: { text: 'x' } }] }];
    const { call } = await openServer({ replies, tools: [wipe] });
    const stateOf = async (as?: string) => (await call('GET /agent/helper/ui/t/stream', { ...(as && { as }) })).status;
    expect(await stateOf()).toBe(204);
    await (await call('POST /agent/helper/ui', { body: hello('t') })).text();
    expect([await stateOf(), await stateOf('bob')]).toEqual([204, 204]);
    await (await call('POST /agent/helper/ui', { body: hello('t') })).text();
    expect(await stateOf()).toBe(204);
    expect((await call('GET /agent/nobody/ui/t/stream')).status).toBe(404);
  });

  it('has the running turn from its beginning to its end, as the request that began it', async () => {
    const gate = Promise.withResolvers<void>();
    const look = buildTool({ name: 'look', run: () => gate.promise.then(() => 'clear') });
    const replies = [{ text: 'First. ', calls: [{ name: 'look', arguments: { text: 'x' } }] }, 'Second.'];
    const { call } = await openServer({ replies, tools: [look] });
    const begun = await call('POST /agent/helper/ui', { body: hello('t'), headers: GO_ON });
    const again = await call('GET /agent/helper/ui/t/stream');
    expect([again.status, again.headers.get('x-vercel-ai-ui-message-stream')]).toEqual([200, 'v1']);
    expect((await call('GET /agent/helper/ui/t/stream', { as: 'bob' })).status).toBe(204);
    gate.resolve();
    const [first, second] = await Promise.all([readChunks(begun), readChunks(again)]);
    expect(second).toEqual(first);
    expect(second.text).toBe('First. Second.');
    expect(second.types.at(-1)).toBe('finish');
  });
});
