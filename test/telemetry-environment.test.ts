import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { createBoundedFetch } from '../src/mcp/client/bounded-fetch.ts';
import { createMessageRepairer } from '../src/mcp/client/repair-message.ts';
import { DEFAULT_LIMITS } from '../src/mcp/limits.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { ALICE, buildAgent } from './build.ts';
import { collect, temporaryFolder } from './runtime.ts';
import { serveRuntime } from './server/server.ts';

const PLAIN_SERVER = join(import.meta.dirname, 'fixtures', 'mcp-servers', 'servers.mjs');
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An HTTP server that stores the requests that it receives. */
async function listen(answer: (sent: Sent) => string = () => '{}'): Promise<{ url: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const one = { path: request.url ?? '', headers: request.headers, body };
    sent.push(one);
    const text = answer(one);
    response.setHeader('content-type', text.startsWith('data:') ? 'text/event-stream' : 'application/json').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return { url: `http://127.0.0.1:${port}`, sent };
}

function setEnvironment(values: Record<string, string>): void {
  Object.assign(process.env, values);
  onTestFinished(() => {
    for (const name of Object.keys(values)) delete process.env[name];
  });
}

/** Runs a turn over HTTP; everything is sent when it is over. */
async function chatOnce(parts: Record<string, unknown>, headers: Record<string, string> = {}) {
  const lines: string[] = [];
  const agents = [buildAgent({ observability: { enabled: true }, ...parts })];
  const model = parts.model ? {} : { model: createScriptedModel(['Hello.']) };
  const writeTrace = (line: string) => lines.push(line);
  const runtime = await createRuntime({ agents, folder: temporaryFolder(), writeTrace, ...model });
  const { call } = await serveRuntime(runtime);
  const answer = await (await call('POST /agent/helper/chat', { body: { message: 'hi' }, headers })).json();
  await runtime.stop();
  return { lines, answer };
}

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

function spansOf(sent: readonly Sent[]): SentSpan[] {
  return sent
    .filter(({ body }) => body.includes('resourceSpans'))
    .flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
}

const valuesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const REPLY = [
  { id: 'reply-1', model: 'mock-2026', choices: [{ index: 0, delta: { content: 'Hello.' } }] },
  { id: 'reply-1', model: 'mock-2026', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];
const STREAM = `${REPLY.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;

describe('trace context', () => {
  it('comes in by traceparent and goes out to the model, in one trace', async () => {
    const receiver = await listen();
    const provider = await listen(() => STREAM);
    await chatOnce(
      {
        model: { provider: 'openai_compatible', name: 'mock', endpoint: `${provider.url}/v1` },
        observability: { enabled: true, otlp_endpoint: receiver.url },
      },
      { traceparent: `00-${TRACE}-${SPAN}-01` },
    );
    const spans = spansOf(receiver.sent);
    const turn = spans.find(({ name }) => name === 'invoke_agent helper');
    const step = spans.find(({ name }) => name === 'chat mock');
    expect(spans.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
    expect([turn?.parentSpanId, step?.parentSpanId]).toEqual([SPAN, turn?.spanId]);
    expect(provider.sent.map(({ headers }) => headers.traceparent)).toEqual([`00-${TRACE}-${step?.spanId}-01`]);
    const { port } = new URL(provider.url);
    expect(step && valuesOf(step)).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'gen_ai.response.model': 'mock-2026',
      'gen_ai.response.id': 'reply-1',
    });
  });

  it('is handed on by an agent that makes no traces', async () => {
    const provider = await listen(() => STREAM);
    const model = { provider: 'openai_compatible', name: 'mock', endpoint: `${provider.url}/v1` };
    const traceparent = `00-${TRACE}-${SPAN}-00`;
    await chatOnce({ model, observability: { enabled: false } }, { traceparent });
    await chatOnce({ model, observability: { enabled: false } }, { traceparent: 'nonsense' });
    expect(provider.sent.map(({ headers }) => headers.traceparent)).toEqual([traceparent, undefined]);
  });

  it("is part of a tool call's `_meta`", async () => {
    const receiver = await listen();
    const agent = buildAgent({
      observability: { enabled: true, otlp_endpoint: receiver.url },
      tools: [
        { name: 'plain', type: 'mcp', transport: 'stdio', command: process.execPath, args: [PLAIN_SERVER, 'plain'] },
      ],
    });
    const model = createScriptedModel([{ calls: [{ name: 'meta' }] }, 'Done.']);
    const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), model });
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    const events = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hi', traceparent }));
    await runtime.stop();
    const call = events.find((event) => event.type === 'tool-call-end')?.call;
    const span = spansOf(receiver.sent).find(({ name }) => name === 'execute_tool meta');
    expect(JSON.parse(String(call?.result))).toMatchObject({ traceparent: `00-${TRACE}-${span?.spanId}-01` });
  });

  it('goes to HTTP tool servers as a header', async () => {
    const server = await listen();
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    const repairer = createMessageRepairer(await import('@modelcontextprotocol/client'));
    const send = createBoundedFetch({ clock: systemClock, limits: DEFAULT_LIMITS, repairer, onDropped: () => {} });
    const params = { name: 'x', arguments: {}, _meta: { traceparent } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    await (await send(server.url, { method: 'POST', body, headers: { 'x-own': '1' } })).text();
    expect(server.sent[0]?.headers).toMatchObject({ traceparent, 'x-own': '1' });
  });
});

describe("OpenTelemetry's variables", () => {
  it('name the service and its resource, and the address of traces', async () => {
    const receiver = await listen();
    setEnvironment({
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=a%20b',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/custom/traces`,
    });
    await chatOnce({});
    expect(receiver.sent.map(({ path }) => path)).toEqual(['/custom/traces']);
    const { attributes } = JSON.parse(receiver.sent[0]?.body ?? '').resourceSpans[0].resource;
    expect(attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'shop' } },
        { key: 'deployment.environment.name', value: { stringValue: 'a b' } },
      ]),
    );
  });

  it.each<[string, Record<string, string>, { spans: number; metrics: boolean }]>([
    ['the SDK is disabled', { OTEL_SDK_DISABLED: 'true' }, { spans: 0, metrics: false }],
    ['traces go nowhere', { OTEL_TRACES_EXPORTER: 'none' }, { spans: 0, metrics: true }],
    ['the sampler is off', { OTEL_TRACES_SAMPLER: 'always_off' }, { spans: 0, metrics: true }],
    [
      'no share is taken',
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
      { spans: 0, metrics: true },
    ],
    ['the sampler is on', { OTEL_TRACES_SAMPLER: 'always_on' }, { spans: 2, metrics: true }],
  ])('are honoured when %s', async (_, variables, { spans, metrics }) => {
    const receiver = await listen();
    setEnvironment({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await chatOnce({});
    const hasMetrics = receiver.sent.some(({ path }) => path === '/v1/metrics');
    expect({ spans: spansOf(receiver.sent).length, metrics: hasMetrics }).toEqual({ spans, metrics });
  });

  it('leave a trace out that its caller does not sample, and pass that on', async () => {
    const receiver = await listen();
    await chatOnce(
      { observability: { enabled: true, otlp_endpoint: receiver.url } },
      { traceparent: `00-${TRACE}-${SPAN}-00` },
    );
    expect(spansOf(receiver.sent)).toEqual([]);
  });
});

it('captures messages in the JSON of the conventions', async () => {
  const receiver = await listen();
  await chatOnce({ observability: { enabled: true, otlp_endpoint: receiver.url, capture_content: true } });
  const [step, turn] = spansOf(receiver.sent).map(valuesOf);
  const output = [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello.' }], finish_reason: 'stop' }];
  expect(JSON.parse(String(step?.['gen_ai.output.messages']))).toEqual(output);
  expect(JSON.parse(String(turn?.['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
  ]);
});
