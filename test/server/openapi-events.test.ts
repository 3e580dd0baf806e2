import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { tokenUsage } from '../../src/schema/conversation/token-usage.ts';
import { openApiDocument } from '../../src/server/openapi/openapi.ts';
import { buildTool } from '../build.ts';
import { openServer, readFrames, type SseFrame } from './server.ts';

const domain = { name: 'stock', display_name: 'Stock', description: 'Goods in stock', mcp_tools: ['ask_stock'] };
const rows = [{ item: 'lamp', units: 12 }];

/** A scene whose turns send every kind of event. */
function scene() {
  const asked = buildTool({ name: 'ask_stock', run: () => ({ rows }) });
  const remove = buildTool({
    name: 'remove',
    needsApproval: true,
    run: async (_args, { progress }) => {
      progress('half');
      return 'gone';
    },
  });
  const curious = buildTool({
    name: 'curious',
    run: async (_args, { ask }) => ask({ text: 'Which?', schema: { type: 'object' } }),
  });
  const replies = [
    {
      reasoning: 'Hm.',
      text: 'Looking. ',
      calls: [{ name: 'ask_stock' }, { name: 'remove' }],
      usage: tokenUsage(5, 2),
    },
    'There are 12 lamps.',
    { calls: [{ name: 'curious' }] },
    { text: 'x', error: new Error('no') },
  ];
  return { replies, tools: [asked, remove, curious], agent: { domains: [domain] } };
}

/** Checks events against the document's schema of a path's stream. */
function checkerOf(path: string, method = 'post') {
  const document = openApiDocument();
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'api' });
  const pointer = [path, method, 'responses', '200', 'content', 'text/event-stream', 'schema']
    .map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
  const validate = ajv.compile({ $ref: `api#/paths/${pointer}` });
  return ({ data }: SseFrame) => (validate(data) ? [] : [{ data, errors: validate.errors }]);
}

it('every event of a REST stream matches the document', async () => {
  const { call } = await openServer(scene());
  const check = checkerOf('/agent/{name}/chat/stream');
  const STREAM = 'POST /agent/helper/chat/stream';
  const files = [{ content: 'YQ==', mime_type: 'text/plain', filename: 'a.txt' }];
  const first = await readFrames(await call(STREAM, { body: { message: 'how many lamps are in stock?', files } }));
  const session_id = String(first[0]?.data.session_id);
  const resume = async (found: readonly SseFrame[], given: object) => {
    const asked = found.find(({ event }) => event === 'approval_request' || event === 'question');
    const headers = { accept: 'text/event-stream' };
    const body = [{ call_id: asked?.data.call_id, ...given }];
    return readFrames(await call(`POST /sessions/${session_id}/resume`, { body, headers }));
  };
  const second = await resume(first, { approved: true });
  const third = await readFrames(await call(STREAM, { body: { message: 'and now?', session_id } }));
  const fourth = await resume(third, { result: { a: 1 } });
  const frames = [...first, ...second, ...third, ...fourth];
  expect(frames.flatMap(check)).toEqual([]);
  expect([...new Set(frames.map(({ event }) => event))].sort()).toEqual(
    [
      'annotation',
      'approval_request',
      'error',
      'file',
      'message_delta',
      'question',
      'reasoning_delta',
      'routing',
      'stream_end',
      'stream_start',
      'tool_call_args',
      'tool_call_end',
      'tool_call_progress',
      'tool_call_start',
    ].sort(),
  );
  expect(check({ id: '', event: 'stream_start', data: { type: 'stream_start', session_id: 1 } })).toHaveLength(1);
  expect(check({ id: '', event: 'other', data: { type: 'other' } })).toHaveLength(1);
});

it('every event of an AG-UI stream matches the document, and so do both by GET', async () => {
  const { call } = await openServer(scene());
  const check = checkerOf('/agent/{name}/awp');
  const run = (runId: string, parts: object) => ({ threadId: 't', runId, protocolVersion: '1.0', ...parts });
  const user = { id: 'm', role: 'user', content: 'how many lamps are in stock?' };
  const first = await readFrames(await call('POST /awp', { body: run('r1', { messages: [user] }) }));
  const outcome = first.at(-1)?.data.outcome as { interrupts: { id: string }[] }; // the next request fails without it
  const resume = outcome.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: true }));
  const second = await readFrames(await call('POST /awp', { body: run('r2', { messages: [], resume }) }));
  const frames = [...first, ...second];
  expect(frames.flatMap(check)).toEqual([]);
  const types = new Set(frames.map(({ data }) => data.type));
  expect(types.size).toBeGreaterThan(15);

  const result = first.at(-1)?.data.result as { session_id: string }; // the next requests fail without it
  const both = checkerOf('/sessions/{id}/events', 'get');
  for (const format of ['rest', 'ag-ui']) {
    const told = await readFrames(await call(`GET /sessions/${result.session_id}/events?format=${format}`));
    expect(told.length).toBeGreaterThan(5);
    expect(told.flatMap(both)).toEqual([]);
  }
});
