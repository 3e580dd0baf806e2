import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHttpFixture } from '../../test/fixtures/mcp-servers/http-server.ts';
import { callTool, listTools, openScript, openSource } from '../../test/fixtures/mcp-servers/open.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import type { McpSource } from './supervise/supervisor.ts';

const toClose: (() => unknown)[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((close) => close())));

function open(...args: Parameters<typeof openScript>): McpSource {
  const source = openScript(...args);
  toClose.push(() => source.close());
  return source;
}

async function openHttp(answer: (response: ServerResponse, id: number) => void): Promise<McpSource> {
  const server = await startHttpFixture(({ id, response }) => answer(response, id));
  const source = openSource({ transport: 'http', url: server.url });
  toClose.push(() => source.close().finally(server.close));
  return source;
}

const UNREADABLE: ToolOutcome = {
  error: {
    error_type: 'ToolInvocationError',
    message: 'The server answered, but its answer cannot be read. It is unknown whether the call took effect.',
  },
  unknown: true,
};
const refused = (message: string): ToolOutcome => ({ error: { error_type: 'ToolInvocationError', message } });
const FINE = '"result":{"content":[{"type":"text","text":"fine"}]}';

/** Answers of unusual shape, and how the call ends. `ID` is the call's id. */
const ODD: [what: string, answer: string, outcome: ToolOutcome][] = [
  ['result: null', '{"jsonrpc":"2.0","id":ID,"result":null}', UNREADABLE],
  ['a result that is text', '{"jsonrpc":"2.0","id":ID,"result":"done"}', UNREADABLE],
  ['a result that is a list', '{"jsonrpc":"2.0","id":ID,"result":[1]}', UNREADABLE],
  ['neither result nor error', '{"jsonrpc":"2.0","id":ID}', UNREADABLE],
  ['content that is no list', '{"jsonrpc":"2.0","id":ID,"result":{"content":"done"}}', UNREADABLE],
  ['content of a wrong shape', '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text"}]}}', UNREADABLE],
  ['_meta of a wrong shape', '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"_meta":7}}', UNREADABLE],
  ['an error with text as code', '{"jsonrpc":"2.0","id":ID,"error":{"code":"E_NO","message":"no"}}', refused('no')],
  ['an error with 1.5 as code', '{"jsonrpc":"2.0","id":ID,"error":{"code":1.5,"message":"no"}}', refused('no')],
  ['an error with a huge code', '{"jsonrpc":"2.0","id":ID,"error":{"code":1e300,"message":"no"}}', refused('no')],
  ['an error with our own code', '{"jsonrpc":"2.0","id":ID,"error":{"code":-32990,"message":"no"}}', refused('no')],
  ['an error that is text', '{"jsonrpc":"2.0","id":ID,"error":"no"}', refused('no')],
  [
    'an error without words',
    '{"jsonrpc":"2.0","id":ID,"error":{}}',
    refused('The tool failed without giving a reason.'),
  ],
  ['error: null beside a result', `{"jsonrpc":"2.0","id":ID,${FINE},"error":null}`, { result: 'fine' }],
  ['a key that JSON-RPC does not have', `{"jsonrpc":"2.0","id":ID,${FINE},"took":5}`, { result: 'fine' }],
  ['another version of JSON-RPC', `{"jsonrpc":"1.0","id":ID,${FINE}}`, { result: 'fine' }],
  ['its id as text', `{"jsonrpc":"2.0","id":"ID",${FINE}}`, { result: 'fine' }],
];

describe('a call that is answered in an odd shape ends at once', () => {
  let source: McpSource;
  beforeAll(() => {
    source = openScript(['servers.mjs', 'odd']);
  });
  afterAll(() => source.close());

  it.each(ODD)('over stdio: %s', async (_what, answer, outcome) => {
    expect(await callTool(source, 'say', { answers: [answer] })).toEqual(outcome);
    expect([await callTool(source, 'echo'), source.status().state]).toEqual([{ result: 'echo {}' }, 'ready']);
  });

  it.each(ODD)('over HTTP: %s', async (_what, answer, outcome) => {
    const source = await openHttp((response, id) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer.replaceAll('ID', `${id}`));
    });
    expect([await callTool(source, 'go'), source.status().state]).toEqual([outcome, 'ready']);
  });

  it.each(ODD)('over an event stream that stays open: %s', async (_what, answer, outcome) => {
    const source = await openHttp((response, id) => {
      const halves = answer.replaceAll('ID', `${id}`).split(',');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `${halves.map((half, index) => `data: ${half}${index < halves.length - 1 ? ',' : ''}`).join('\n')}\n\n`,
      );
    });
    expect([await callTool(source, 'go'), source.status().state]).toEqual([outcome, 'ready']);
  });

  it.each([
    ['no JSON', 'application/json', '{"jsonrpc":', UNREADABLE],
    ['a page for people', 'text/html', '<h1>fine</h1>', UNREADABLE],
    [
      'an answer to another call',
      'application/json',
      `{"jsonrpc":"2.0","id":4711,${FINE}}`,
      {
        error: {
          error_type: 'ToolInvocationError',
          message:
            'fixture broke off without an answer while the call was running. It is unknown whether the call took effect.',
        },
        unknown: true,
      },
    ],
  ])('over HTTP: %s', async (_what, type, body, outcome) => {
    const source = await openHttp((response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(await callTool(source, 'go')).toEqual(outcome);
  });

  it.each([
    ['a wrong structure', ',"structuredContent":{"n":"text"}'],
    ['no structure', ''],
  ])('with %s for a declared output', async (_what, structure) => {
    const source = open(['servers.mjs', 'odd', JSON.stringify({ '': { tools: [WITH_OUTPUT] } })]);
    const answer = `{"jsonrpc":"2.0","id":ID,"result":{"content":[]${structure}}}`;
    expect(await callTool(source, 'strict', { answers: [answer] })).toEqual(UNREADABLE);
  });
});

const WITH_OUTPUT = {
  name: 'strict',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
};

describe('the ids of answers', () => {
  it.each([
    ['nobody asked for', `{"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"wrong"}]}}`],
    ['of the first call of all', `{"jsonrpc":"2.0","id":"","result":{"content":[{"type":"text","text":"wrong"}]}}`],
    ['that is null', `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"wrong"}}`],
    ['that is a list', `{"jsonrpc":"2.0","id":[ID],"result":{"content":[{"type":"text","text":"wrong"}]}}`],
    ['written in another base', `{"jsonrpc":"2.0","id":"0xID","result":{"content":[{"type":"text","text":"wrong"}]}}`],
  ])('an answer with an id %s is nobody’s', async (_what, stray) => {
    const source = open(['servers.mjs', 'odd']);
    const answers = [stray, `{"jsonrpc":"2.0","id":ID,${FINE}}`];
    expect(await callTool(source, 'say', { answers })).toEqual({ result: 'fine' });
  });

  it('of two answers to one call the first counts, and the next call gets its own', async () => {
    const source = open(['servers.mjs', 'odd']);
    const second = '{"jsonrpc":"2.0","id":"ID","result":{"content":[{"type":"text","text":"second"}]}}';
    const answers = [`{"jsonrpc":"2.0","id":ID,${FINE}}`, second, second];
    const first = callTool(source, 'say', { answers });
    expect([await first, await callTool(source, 'echo')]).toEqual([{ result: 'fine' }, { result: 'echo {}' }]);
  });
});

const DEEP = `${'{"type":"object","not":'.repeat(4_000)}{}${'}'.repeat(4_000)}`;

describe('a list of tools', () => {
  const openPages = (pages: object) => open(['servers.mjs', 'odd', JSON.stringify(pages)]);
  const good = { name: 'good', inputSchema: { type: 'object' } };
  const names = async (source: McpSource) => (await listTools(source)).map((tool) => tool.name);

  const NO_OBJECT = 'its inputSchema is not the schema of an object';
  const inside = (parts: object) => ({ inputSchema: { type: 'object', ...parts } });
  const unusable = (why: string) => `its inputSchema cannot be used: ${why}`;

  it.each<[reason: string, parts: object]>([
    [NO_OBJECT, { inputSchema: { type: 'string' } }],
    [NO_OBJECT, { inputSchema: undefined }],
    [NO_OBJECT, { inputSchema: 'object' }],
    ['its outputSchema is not the schema of an object', { outputSchema: { type: 'array' } }],
    ['its description is not in the form that the protocol asks for', { description: 5 }],
    ['its annotations is not in the form that the protocol asks for', { annotations: { readOnlyHint: 'yes' } }],
    [unusable('"type" has a value that JSON Schema does not allow'), inside({ properties: { a: { type: 'strng' } } })],
    [unusable('"required" has a value that JSON Schema does not allow'), inside({ required: 'a' })],
    [unusable('it refers to a part that it does not have'), inside({ properties: { a: { $ref: '#/$defs/none' } } })],
    [unusable('it refers to another document (https://a.example)'), inside({ not: { $ref: 'https://a.example' } })],
    [unusable('it is nested deeper than 40 levels'), { inputSchema: JSON.parse(DEEP) }],
  ])('leaves out one bad tool with its reason: %s', async (reason, parts) => {
    const source = openPages({ '': { tools: [{ ...good, name: 'bad', ...parts }, good] } });
    expect([await names(source), source.status()]).toMatchObject([
      ['good'],
      { state: 'ready', refused: [{ name: 'bad', reason }], detail: `bad is not offered: ${reason}` },
    ]);
  });

  it.each([[null], ['tool'], [{ inputSchema: { type: 'object' } }]])('leaves out what has no name: %j', async (bad) => {
    const source = openPages({ '': { tools: [good, bad] } });
    expect([await names(source), source.status().refused.map((refusal) => refusal.name)]).toEqual([
      ['good'],
      ['tool 2'],
    ]);
  });

  it('takes null for an absent field', async () => {
    const nulls = { ...good, title: null, description: null, annotations: null, outputSchema: null };
    expect(await names(openPages({ '': { tools: [nulls], nextCursor: null } }))).toEqual(['good']);
  });

  it('whose cursors go round ends where they repeat', async () => {
    const page = (name: string, nextCursor: string) => ({ tools: [{ ...good, name }], nextCursor });
    const source = openPages({ '': page('one', 'a'), a: page('two', 'b'), b: page('three', 'a') });
    expect(await names(source)).toEqual(['one', 'two', 'three']);
  });

  it('of 10,000 tools is cut, and so is the report of the rest', async () => {
    const source = open(['servers.mjs', 'odd', 'many']);
    const status = { offered: (await names(source)).length, refused: source.status().refused };
    expect([status.offered, status.refused.length, status.refused.at(-1)?.name]).toEqual([256, 21, '9724 more']);
  });

  it('of one name 10,000 times offers none of them and stays short', async () => {
    const source = open(['servers.mjs', 'odd', 'twins']);
    expect([await names(source), source.status().refused.length]).toEqual([['good'], 21]);
  });

  it('with names that hold terminal codes is reported in plain letters', async () => {
    const source = openPages({ '': { tools: [{ ...good, name: `\u001b[31mred\n${'x'.repeat(500)}` }, good] } });
    await listTools(source);
    expect(source.status().refused[0]?.name).toBe(`red ${'x'.repeat(71)}`);
  });

  it('that is no list says so in words', async () => {
    const source = openPages({ '': { tools: { good } } });
    await listTools(source);
    expect(source.status().detail).toBe(
      'fixture is not reachable (it does not answer in the form that MCP asks for), next try in 1 s',
    );
  });
});
