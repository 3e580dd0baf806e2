import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../src/errors.ts';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { tokenUsage } from '../src/schema/conversation/token-usage.ts';
import { traceIdOf } from '../src/telemetry/trace-context.ts';
import type { Tool } from '../src/tools/tool.ts';
import { ALICE, buildAgent, buildTool } from './build.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number; arrayValue?: unknown };
}

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
  status: { code?: number };
}

interface Metric {
  name: string;
  histogram: { dataPoints: { count: number; sum: number; attributes: Attribute[] }[] };
}

/** The body that an OTLP/HTTP receiver gets. */
interface Body {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[];
}

async function startReceiver() {
  const bodies: { path: string | undefined; headers: IncomingHttpHeaders; body: Body }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    bodies.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  const spans = () =>
    bodies
      .flatMap(({ body }) => body.resourceSpans ?? [])
      .flatMap((part) => part.scopeSpans.flatMap((scope) => scope.spans));
  const metrics = () =>
    bodies
      .flatMap(({ body }) => body.resourceMetrics ?? [])
      .flatMap((part) => part.scopeMetrics.flatMap((scope) => scope.metrics));
  return { url: `http://127.0.0.1:${port}`, bodies, spans, metrics };
}

const toValues = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.arrayValue,
    ]),
  );

async function openWatched(observability: object, options: { tools?: Tool[]; writeTrace?(line: string): void } = {}) {
  const agent = buildAgent({ observability: { enabled: true, ...observability } });
  const model = createScriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'user'
      ? {
          text: 'Let me see. ',
          calls: [{ name: 'echo', arguments: { text: 'secret words', password: 'hunter2' } }],
          usage: tokenUsage(10, 5),
        }
      : { text: 'The secret answer.', usage: tokenUsage(20, 7) },
  );
  const tools = options.tools ?? [buildTool({ inputSchema: { type: 'object' } })];
  const source = {
    name: 'test',
    tools: async () => tools,
    status: () => ({ state: 'ready' as const, tools: [] }),
    close: async () => {},
  };
  const write = options.writeTrace && { writeTrace: options.writeTrace };
  const runtime = await createRuntime({
    agents: [agent],
    folder: temporaryFolder(),
    model,
    sources: [source],
    ...write,
  });
  onTestFinished(() => runtime.stop());
  return runtime;
}

describe('telemetry', () => {
  it('sends one trace per turn: the turn, below it each model call and each tool call', async () => {
    const receiver = await startReceiver();
    const runtime = await openWatched({ otlp_endpoint: receiver.url });
    const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'a secret question' });
    await collect(turn);
    await runtime.stop();

    const spans = receiver.spans();
    const root = spans.find((span) => span.name === 'invoke_agent helper');
    expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId === root?.spanId])).toEqual([
      ['chat builtin', true],
      ['execute_tool echo', true],
      ['chat builtin', true],
      ['invoke_agent helper', false],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(turn.turnId)]));
    expect(toValues(root?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.conversation.id': turn.conversationId,
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 12,
    });
    expect(toValues(spans[1]?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'holodeck.tool.state': 'completed',
    });
  });

  it.each<[string, Parameters<typeof createScriptedModel>[0], (string | undefined)[]]>([
    ['is the code of the error', [{ error: new AppError('model_timeout', { detail: 'Late.' }) }], ['model_timeout']],
    [
      'is absent for an empty end after calls',
      [{ text: 'Wait.', calls: [{ name: 'echo', arguments: { text: 'a' } }] }, ''],
      [undefined, undefined],
    ],
  ])('error.type of a model call %s', async (_, replies, expected) => {
    const receiver = await startReceiver();
    const agent = { observability: { enabled: true, otlp_endpoint: receiver.url } };
    const { runtime } = await openRuntime({ replies, agent });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hi' }));
    await runtime.stop();
    const calls = receiver.spans().filter(({ name }) => name === 'chat builtin');
    expect(calls.map(({ attributes }) => toValues(attributes)['error.type'])).toEqual(expected);
    expect(calls.map(({ status }) => status.code === 2)).toEqual(expected.map((type) => type !== undefined));
  });

  it('names its sender, with the headers of the environment', async () => {
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20key,x-tenant=a=b';
    onTestFinished(() => void delete process.env.OTEL_EXPORTER_OTLP_HEADERS);
    const receiver = await startReceiver();
    const runtime = await openWatched({ otlp_endpoint: `${receiver.url}/` });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    await runtime.stop();
    const [traces, metrics] = receiver.bodies;
    expect([traces?.path, metrics?.path].sort()).toEqual(['/v1/metrics', '/v1/traces']);
    expect(traces?.headers).toMatchObject({ authorization: 'Bearer key', 'x-tenant': 'a=b' });
    const origin = receiver.bodies.find(({ body }) => body.resourceSpans)?.body.resourceSpans?.[0];
    expect(toValues(origin?.resource.attributes ?? [])).toMatchObject({ 'service.name': 'holodeck' });
  });

  it('can be switched on and off, and sent elsewhere, while it runs: the next turn does so', async () => {
    const [first, second] = [await startReceiver(), await startReceiver()];
    const { runtime } = await openRuntime({ replies: ['1', '2', '3', '4'] });
    const messages = ['off', 'first', 'second', 'off again'];
    const settings = [{}, { otlp_endpoint: first.url }, { otlp_endpoint: second.url }, { enabled: false }];
    for (const [index, setting] of settings.entries()) {
      const observability = { enabled: index > 0, capture_content: true, ...setting };
      await runtime.replaceAgent(buildAgent({ observability }));
      await collect(await runtime.chat(ALICE, { agent: 'helper', message: messages[index] ?? '' }));
    }
    await runtime.stop();
    const asked = (spans: Span[]) => spans.flatMap((span) => toValues(span.attributes)['gen_ai.input.messages'] ?? []);
    const asText = (spans: Span[]) => asked(spans).map((json) => JSON.parse(String(json))[0].parts[0].content);
    expect([asText(first.spans()), asText(second.spans())]).toEqual([['first'], ['second']]);
  });

  it('sends how long operations took and how many tokens they used', async () => {
    const receiver = await startReceiver();
    const runtime = await openWatched({ otlp_endpoint: receiver.url });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    await runtime.stop();
    const metrics = Object.fromEntries(receiver.metrics().map((metric) => [metric.name, metric.histogram.dataPoints]));
    const tokens = metrics['gen_ai.client.token.usage']?.map((point) => [
      toValues(point.attributes)['gen_ai.token.type'],
      point.sum,
    ]);
    expect(tokens).toEqual([
      ['input', 30],
      ['output', 12],
    ]);
    const counts = metrics['gen_ai.client.operation.duration']?.map((point) => [
      toValues(point.attributes)['gen_ai.operation.name'],
      point.count,
    ]);
    expect(Object.fromEntries(counts ?? [])).toEqual({ chat: 2, execute_tool: 1, invoke_agent: 1 });
  });

  it('contains no content by default, and never secrets', async () => {
    const silent = await startReceiver();
    const runtime = await openWatched({ otlp_endpoint: silent.url });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'a secret question' }));
    await runtime.stop();
    expect(JSON.stringify(silent.bodies)).not.toMatch(/secret|hunter2/);

    const open = await startReceiver();
    const telling = await openWatched({ otlp_endpoint: open.url, capture_content: true });
    await collect(await telling.chat(ALICE, { agent: 'helper', message: 'a secret question' }));
    await telling.stop();
    expect(JSON.stringify(open.bodies)).toMatch(/a secret question[\s\S]*/);
    expect(JSON.stringify(open.bodies)).toContain('The secret answer.');
    expect(JSON.stringify(open.bodies)).not.toContain('hunter2');
  });

  it('puts a turn that waited and was answered into one trace', async () => {
    const receiver = await startReceiver();
    const runtime = await openWatched({ otlp_endpoint: receiver.url }, { tools: [buildTool({ needsApproval: true })] });
    const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'hello' });
    const wait = (await collect(turn)).find((event) => event.type === 'tool-call-wait');
    const { conversationId } = turn;
    const answers = [{ call_id: wait?.call_id ?? '', approved: true }];
    await collect(await runtime.answer(ALICE, { conversationId, answers }));
    await runtime.stop();
    const turns = receiver.spans().filter((span) => span.name === 'invoke_agent helper');
    expect(turns.map(({ traceId }) => traceId)).toEqual([traceIdOf(turn.turnId), traceIdOf(turn.turnId)]);
    expect(turns[1]?.parentSpanId).toBe(turns[0]?.spanId);
  });

  it('writes lines where no receiver is named', async () => {
    const lines: string[] = [];
    const runtime = await openWatched({}, { writeTrace: (line) => lines.push(line) });
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    await runtime.stop();
    expect(lines.filter((line) => line.startsWith('span')).map((line) => line.split('  ')[1])).toEqual([
      'chat builtin',
      'execute_tool echo',
      'chat builtin',
      'invoke_agent helper',
    ]);
    expect(lines.some((line) => line.startsWith('metric  gen_ai.client.token.usage'))).toBe(true);
  });

  it('does not delay the end of the program when the receiver is gone, and reports it once', async () => {
    const lines: string[] = [];
    const write = { writeTrace: (line: string) => lines.push(line) };
    const runtime = await openWatched({ otlp_endpoint: 'http://127.0.0.1:9' }, write);
    await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'hello' }));
    await expect(runtime.stop()).resolves.toBeUndefined();
    expect(lines).toEqual([expect.stringMatching(/^\w+ could not be sent to http:.*: ECONNREFUSED$/)]);
  });
});
