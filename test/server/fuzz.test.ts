import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isObject } from '../../src/schema/json.ts';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { INPUTS, type InputName, toSchema } from '../../src/server/openapi/openapi-schemas.ts';
import { operations } from '../../src/server/openapi/operations.ts';
import { pick } from '../long.ts';
import { keepRuns } from './kept-runs.ts';
import { openServer, readAnswer } from './server.ts';

const RUNS = pick(500, 5_000);

it(`answers ${RUNS} generated requests without a failure of its own, each within a second`, {
  timeout: 3_600_000,
}, async () => {
  const agent = { server: { rate_limit: { turns_per_minute: 1_000_000 } } };
  const { folder } = keepRuns('helper');
  const app = { runsFolder: () => folder };
  const { url, call } = await openServer({ replies: () => 'Hi.', agent, app });
  const { session_id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'hello' } }));
  await fc.assert(
    fc.asyncProperty(requests(session_id), async (request) => {
      expect(await judge(url, request)).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
});

interface FuzzRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  contentType: string;
  body: string | undefined;
}

const SLOWEST_MS = 1_000;
const JSON_TYPE = 'application/json';
/** Three of four requests have a body. */
const BODY_WEIGHT = 8;

/** Requests generated from the API's own document: bodies that fit it, bodies that almost do, and nonsense. */
function requests(sessionId: string): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: operation.body ? BODY_WEIGHT : 1,
      arbitrary: requestOf(operation, sessionId),
    })),
  );
}

function requestOf(
  { method, path, body, query }: (typeof operations)[number],
  sessionId: string,
): fc.Arbitrary<FuzzRequest> {
  const id = fc.oneof(
    fc.constant(sessionId),
    fc.constant(newUlid()),
    fc.string({ maxLength: 40 }).map(encodeURIComponent),
  );
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constant('helper') },
    { weight: 1, arbitrary: fc.constant('nobody') },
  );
  const file = fc.oneof(
    fc.constantFrom('index-DpA1b2C3.js', '..%2f..%2fpackage.json', '%2e%2e', 'x%00.js'),
    fc.string({ maxLength: 40 }).map(encodeURIComponent),
  );
  const search = query
    ? fc.dictionary(
        fc.constantFrom('limit', 'before', 'agent', 'last', 'format', 'follow', 'q', 'with', 'x'),
        fc.constantFrom('1', '0', '-1', 'ag-ui', 'rest', 'x', '', '"', 'a NEAR(b) OR -c*', '\u0000'),
      )
    : fc.constant({});
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant(JSON_TYPE) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'multipart/form-data', 'application/json; charset=latin1', ''),
    },
  );
  return fc
    .record({ id, inner: id, name, file, search, contentType, body: body ? bodies(body) : fc.constant(undefined) })
    .map((parts) => {
      const where = path
        .replace('{id}', parts.id || 'x')
        .replace('{name}', parts.name)
        .replace(/\{(message|turn|task|response|run)\}/, parts.inner || 'x')
        .replace('{file}', parts.file);
      const params = new URLSearchParams(parts.search);
      // A following reader would never get a complete answer.
      if (params.get('follow') === '1') params.delete('follow');
      return { method, path: `${where}?${params}`, contentType: parts.contentType, body: parts.body };
    });
}

/** Otherwise no generated request would name an agent. */
function withKnownModel(body: unknown): unknown {
  return isObject(body) && typeof body.model === 'string' ? { ...body, model: 'helper', background: false } : body;
}

function bodies(name: InputName): fc.Arbitrary<string> {
  const fitting = fromSchema(toSchema(INPUTS[name], 'input'), 0).map(withKnownModel);
  const text = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one) ?? 'null');
  const broken = text(fitting).chain((json) => fc.nat(json.length).map((at) => json.slice(0, at)));
  return fc.oneof(
    { weight: 6, arbitrary: text(fitting) },
    { weight: 2, arbitrary: text(fc.jsonValue({ maxDepth: 4 })) },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  );
}

interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** Values that fit a schema; sometimes a value that does not. */
function fromSchema(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema, depth);
  return fc.oneof({ weight: 14, arbitrary: fitting }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

const WORDS = fc.oneof(
  fc.constantFrom('hello', 'user', 'tool', 'assistant', 't', 'data', 'text/plain', 'YQ==', newUlid(), ''),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const MESSAGE = fc.record({
  id: WORDS,
  role: fc.constantFrom('user', 'tool', 'assistant', 'system'),
  content: fc.oneof(
    WORDS,
    fc.array(fc.record({ type: fc.constantFrom('text', 'image', 'x'), text: WORDS }), { maxLength: 3 }),
  ),
  toolCallId: WORDS,
});

function fittingValue(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, depth)));
  if (depth > 5) return fc.constant(null);
  switch (schema.type) {
    case 'string':
      return WORDS;
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer(), fc.double());
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, depth + 1), { maxLength: 4 });
    case 'object':
      return fittingObject(schema, depth);
    default:
      return fc.oneof(MESSAGE, fc.jsonValue({ maxDepth: 2 }));
  }
}

function fittingObject({ properties = {}, required = [] }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, fromSchema(inner, depth + 1)]),
  );
  const requiredKeys = required.filter((name) => name in model);
  return fc.oneof(
    { weight: 9, arbitrary: fc.record(model, { requiredKeys }) },
    { weight: 1, arbitrary: fc.record(model, { requiredKeys: [] }) },
  );
}

/** Returns the problem of an answer, or undefined. A request counts as slow if it is slow three times in a row. */
async function judge(url: string, request: FuzzRequest): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const { problem, ms } = await judgeOnce(url, request);
    if (problem || ms <= SLOWEST_MS) return problem;
    if (tries === 3) return `took ${Math.round(ms)} ms`;
  }
}

async function judgeOnce(
  url: string,
  { method, path, contentType, body }: FuzzRequest,
): Promise<{ ms: number; problem: string | undefined }> {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: 'Bearer alice', ...(body !== undefined && { 'content-type': contentType }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(5_000),
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  // Files are read in separate processes with their own limits.
  const hasRead = response.status < 400 && /"(files|source|mimeType)"/.test(body ?? '');
  return { ms: hasRead ? 0 : ms, problem: faultOf(path, response, text) };
}

/** Fronts whose own protocols have their own errors. */
const OWN_ERRORS = ['/mcp?'];

function faultOf(path: string, { status, headers, url }: Response, text: string): string | undefined {
  if (status >= 500) return `${status} ${text}`;
  if (status < 400) return undefined;
  // The only route that answers people in their browser.
  if (new URL(url).pathname === '/oauth/callback') return /^<!doctype html>/i.test(text) ? undefined : 'is no page';
  const hasOwn =
    OWN_ERRORS.some((front) => path.startsWith(front)) && headers.get('content-type') === 'application/json';
  const isOpenai = new URL(url).pathname.startsWith('/v1/');
  const type = isOpenai ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8';
  if (!hasOwn && headers.get('content-type') !== type) return `${status} is no problem`;
  if (isOpenai && !/^\{"error":\{"message":".+"code":"\w+"\}\}$/s.test(text)) return `is no error of OpenAI: ${text}`;
  return /\bat .+\.ts:\d+|node_modules/.test(text) ? `shows a stack: ${text}` : undefined;
}
