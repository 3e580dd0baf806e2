import packageJson from '../../../package.json' with { type: 'json' };
import { SSE } from '../http/encode.ts';
import { PROBLEM } from '../http/problem.ts';
import { Accepted, componentSchemas, type InputName, type OutputName, QUERIES, toSchema } from './openapi-schemas.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
}

/** The API as OpenAPI 3.1, generated from the schemas that check it. */
export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'HoloDeck',
      version: packageJson.version,
      description:
        'Agents over REST, AG-UI and the protocols of OpenAI. Problems are RFC 9457; events are Server-Sent Events with ids.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'chat', description: 'Talk to an agent.' },
      { name: 'ag-ui', description: 'Talk to an agent by the AG-UI protocol.' },
      { name: 'openai', description: 'Talk to an agent by the protocols of OpenAI. The agents are the models.' },
      { name: 'clients', description: 'Talk to an agent by the protocol of another kind of client.' },
      { name: 'sessions', description: 'Conversations, their turns and events.' },
      { name: 'agents', description: 'Tools and data domains of agents.' },
      { name: 'server', description: 'The server itself.' },
    ],
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Required if server.auth is set.' },
      },
      responses: {
        Problem: { description: 'The problem and how to solve it', content: content(PROBLEM, 'Problem') },
        OpenaiError: {
          description: "The problem in OpenAI's shape",
          content: content('application/json', 'OpenaiError'),
        },
      },
    },
  };
}

function describe(operation: Operation): Record<string, unknown> {
  const { id, tag, summary, description, body, isOpen } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(isOpen && { security: [] }),
    parameters: [...pathParameters(operation.path), ...queryParameters(operation.query), ...(operation.headers ?? [])],
    ...(body && { requestBody: { required: true, content: bodyContent(body, operation.takesForm ?? false) } }),
    responses: responsesOf(operation),
    // A second success in `responses` would make the answer of generated clients a union. 202 needs a header of the caller.
    ...(operation.canAccept && { 'x-responses': { 202: ACCEPTED } }),
  };
}

const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'The session: a ULID, or a UUID of the same bits.',
  name: "The agent's name.",
  message: "The answer's id.",
  response: "The response's id.",
  turn: "The turn's id.",
  task: "The task's id.",
  run: "The test run's id.",
  file: 'Name of a file of the web page.',
};

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: PARAMETERS[name],
  }));
}

function queryParameters(given: Operation['query']): unknown[] {
  const query = typeof given === 'string' ? QUERIES[given] : given;
  if (!query) return [];
  const { properties = {} } = toSchema(query, 'input') as { properties?: Record<string, unknown> }; // queries are objects
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function bodyContent(body: InputName, takesForm: boolean): Record<string, unknown> {
  const form = {
    type: 'object',
    required: ['message'],
    properties: {
      message: { type: 'string' },
      session_id: { type: 'string' },
      files: { type: 'array', maxItems: 10, items: { type: 'string', contentMediaType: 'application/octet-stream' } },
    },
  };
  return { ...content('application/json', body), ...(takesForm && { 'multipart/form-data': { schema: form } }) };
}

const headerOf = (description: string) => ({ description, schema: { type: 'string' } });
const ACCEPTED = {
  description: 'The turn is running; its events are at Location',
  headers: {
    'Preference-Applied': headerOf('`respond-async`'),
    Location: headerOf("The URL of the conversation's events"),
  },
  content: { 'application/json': { schema: toSchema(Accepted, 'output') } },
};

function responsesOf(operation: Operation) {
  const { tag, answer, status = 200, streams, event, problems = [], isOpen, isProbe, canBeEmpty } = operation;
  const media = {
    ...(answer && content('application/json', answer)),
    ...Object.fromEntries((streams ?? []).map((type) => [type, { schema: streamSchema(type, event) }])),
  };
  const refused = [...(isOpen ? [403] : [401, 403, 421]), ...problems];
  const whole = Object.keys(media).length > 0 ? { content: media } : {};
  return {
    [status]: { description: 'Done', ...whole },
    ...(canBeEmpty && { 204: { description: 'There is nothing to send' } }),
    ...(isProbe && { 503: { description: 'Not available', ...whole } }),
    ...Object.fromEntries(
      refused.map((code) => [code, { $ref: `#/components/responses/${tag === 'openai' ? 'OpenaiError' : 'Problem'}` }]),
    ),
  };
}

/** OpenAPI 3.1 cannot describe streams: the schema is that of one event's data, as code generators expect. */
function streamSchema(type: string, event: Operation['event']): Record<string, unknown> {
  return type === SSE && event ? { $ref: `#/components/schemas/${event}` } : { type: 'string' };
}

function content(type: string, name: InputName | OutputName): Record<string, unknown> {
  return { [type]: { schema: { $ref: `#/components/schemas/${name}` } } };
}
