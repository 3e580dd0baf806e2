import { describe, expect, it } from 'vitest';
import { MIME_TYPES } from '../../src/schema/file.ts';
import { openServer } from './server.ts';

const CHAT = 'POST /agent/helper/chat';
const RUN = { threadId: 't', runId: 'r', messages: [] };
const types = MIME_TYPES.slice(0, -1).join(', ');
const file = (parts: object) => ({ content: 'YQ==', mime_type: 'text/plain', ...parts });

const withPart = (part: object) => ({
  ...RUN,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, part] }],
});
const image = (source: object) =>
  withPart({ type: 'image', source: { type: 'data', mimeType: 'image/png', ...source } });
const binary = (parts: object) => withPart({ type: 'binary', mimeType: 'image/png', ...parts });

async function refuse(what: string, options: { body?: unknown; headers?: Record<string, string> }) {
  const { call } = await openServer({ replies: [] });
  const response = await call(what, options);
  const { status, code, detail, errors } = (await response.json()) as Record<string, unknown>; // compared below
  expect([status, code]).toEqual([422, 'invalid_request']);
  return { detail, errors };
}

describe('problems of a request', () => {
  it.each<[string, unknown, string]>([
    [CHAT, {}, 'message: is missing; give a string'],
    [CHAT, { message: '' }, 'message: must not be empty'],
    [CHAT, { message: null }, 'message: is missing; give a string'],
    [CHAT, { message: 7 }, 'message: must be a string, got a number'],
    [CHAT, [], 'body: must be an object, got a list'],
    [CHAT, { message: 'a', mesage: 'b' }, 'mesage: unknown key, did you mean message?'],
    [CHAT, { message: 'a', sesion_id: 'b' }, 'sesion_id: unknown key, did you mean session_id?'],
    [
      CHAT,
      { message: 'a', colour: 'b' },
      'colour: unknown key; known here: message, session_id, response_format, metadata, files',
    ],
    [CHAT, { message: 'a', session_id: 'x' }, 'session_id: must be a ULID or a UUID'],
    [CHAT, { message: 'a', files: 'x' }, 'files: must be a list, got a string'],
    [CHAT, { message: 'a', files: Array(11).fill(file({})) }, 'files: at most 10 files'],
    [CHAT, { message: 'a', files: [file({}), file({ content: '%' })] }, 'files[1].content: must be base64'],
    [CHAT, { message: 'a', files: [file({ content: '' })] }, 'files[0].content: must not be empty'],
    [
      CHAT,
      { message: 'a', files: [file({}), file({}), file({ mime_type: 'video/mp4' })] },
      `files[2].mime_type: must be ${types} or text/markdown`,
    ],
    [
      CHAT,
      { message: 'a', files: [file({ mime_type: 'text/plane' })] },
      `files[0].mime_type: must be ${types} or text/markdown, did you mean text/plain?`,
    ],
    ['POST /awp', { ...RUN, threadId: undefined }, 'threadId: is missing; give a string'],
    ['POST /awp', { ...RUN, runId: '' }, 'runId: must be 1 to 128 printable characters'],
    ['POST /awp', image({ value: '%' }), 'messages[0].content[1].source.value: must be base64'],
    ['POST /awp', image({ value: '' }), 'messages[0].content[1].source.value: must not be empty'],
    ['POST /awp', binary({ data: '%' }), 'messages[0].content[1].data: must be base64'],
    ['POST /awp', { ...RUN, tools: [{ name: '' }] }, 'tools[0].name: must not be empty'],
    ['POST /awp', RUN, 'messages: must end with a user message, or answer the calls that the thread waits for'],
    [
      'POST /sessions/x/resume',
      [{ call_id: 'a', approved: 'yes' }],
      '[0].approved: must be true or false, got a string',
    ],
    ['POST /sessions/x/resume', [], 'body: must have at least 1 entry'],
  ])('%s %j says so', async (what, body, detail) => {
    const told = await refuse(what, { body });
    expect(told.detail).toBe(detail);
    const problems = detail.split(/; (?=[\w[\].]+: )/).map((text) => {
      const [path = '', ...message] = text.split(': ');
      return { path: path === 'body' ? '' : path, message: message.join(': ') };
    });
    expect(told.errors).toEqual(problems);
  });

  it.each([
    ['GET /sessions?limit=many', 'limit: must be a number, got a string'],
    ['GET /sessions?limit=0', 'limit: must be at least 1'],
    ['GET /sessions?limt=3', 'limt: unknown key, did you mean limit?'],
    ['GET /sessions/x', 'session_id: must be a ULID or a UUID'],
  ])('%s says so', async (what, detail) => {
    expect((await refuse(what, {})).detail).toBe(detail);
  });

  it('names the header', async () => {
    const told = await refuse(CHAT, { body: { message: 'a' }, headers: { 'idempotency-key': 'x'.repeat(201) } });
    expect(told.detail).toBe('Idempotency-Key: must be 1 to 200 printable ASCII characters');
  });

  it('reports twenty problems of a hundred thousand', async () => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`messag${index}`, 1]));
    const { errors } = await refuse(CHAT, { body: { message: 'a', ...keys } });
    expect(errors).toHaveLength(20);
  });
});
