import { describe, expect, it } from 'vitest';
import type { ModelChunk } from '../src/models/model.ts';
import { buildTool } from './build.ts';
import { openServer } from './server/server.ts';

const RLM = '\u200f';
/** Escapes in JSON count too: a client that parses them gets the character. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const text = (...pieces: string[]): ModelChunk[] => pieces.map((piece) => ({ type: 'text', text: piece }));
const reasoning = (...pieces: string[]): ModelChunk[] => pieces.map((piece) => ({ type: 'reasoning', text: piece }));
const call = (name: string, args: object): ModelChunk => ({
  type: 'tool-call',
  id: 'c',
  name,
  arguments: JSON.stringify(args),
});
const finish = (reason: 'stop' | 'tool-calls'): ModelChunk => ({ type: 'finish', reason });

/** Calls two tools, one of them unknown, then answers. Every part contains something that must not be sent. */
const hostile = (hasResults: boolean) => ({
  chunks: hasResults
    ? [
        ...reasoning('think\u001b', '[2J', 'ing\u0007'),
        ...text('red\u001b', '[3', '1m pill\u001b]0;ti', 'tle\u0007 \u202e', `end${RLM}\u2066.\u0000`, ' last\u001b'),
        finish('stop'),
      ]
    : [
        ...text('I look.\u009b', '2J'),
        call('echo', { text: 'a\u001b[31mb\u202e', other: RLM }),
        call('ec\u0007ho', {}),
        finish('tool-calls'),
      ],
});

async function open() {
  const opened = await openServer({
    replies: (request) => hostile(request.messages.at(-1)?.role === 'tool'),
    tools: [
      buildTool({
        inputSchema: { type: 'object', properties: { text: { type: 'string' }, other: { type: 'string' } } },
        run: (args, { progress }) => {
          progress('50\u001b[5m %');
          return { ...args, more: 'x\u001b[1my\u0085' };
        },
      }),
    ],
  });
  const read = async (what: string, body?: unknown) =>
    (await opened.call(what, body === undefined ? {} : { body })).text();
  return { ...opened, read };
}

/** Every text of a JSON document or of an event stream, parsed. */
function textsOf(sent: string): string[] {
  const documents = sent.startsWith('{') ? [sent] : [...sent.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
  const texts: string[] = [];
  for (const document of documents) {
    JSON.parse(document, (key, value) => {
      texts.push(key);
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  }
  // AG-UI sends arguments and results as JSON inside JSON.
  return [...texts, ...texts.filter((one) => /^[{[]/.test(one)).flatMap((one) => textsOf(one))];
}

describe('control characters of a model, also cut over chunks', () => {
  it('leave by no front, and right-to-left marks stay', async () => {
    const { read, model } = await open();
    const answer = await read('POST /agent/helper/chat', { message: 'hello' });
    const { session_id: id, content } = JSON.parse(answer);
    expect(content).toBe(`red pill end${RLM}. last`);
    const run = { threadId: 't', runId: 'r1', state: {}, tools: [], context: [], forwardedProps: {} };
    const shown = {
      answer,
      stream: await read('POST /agent/helper/chat/stream', { message: 'hello' }),
      agui: await read('POST /awp', { ...run, messages: [{ id: 'm1', role: 'user', content: 'hello' }] }),
      session: await read(`GET /sessions/${id}`),
      turns: await read(`GET /sessions/${id}/turns`),
      events: await read(`GET /sessions/${id}/events`),
      aguiEvents: await read(`GET /sessions/${id}/events?format=ag-ui`),
    };
    for (const [front, sent] of Object.entries(shown)) {
      const texts = textsOf(sent);
      expect(
        texts.filter((one) => UNSAFE.test(one)),
        front,
      ).toEqual([]);
      expect(texts.join(' '), front).toContain('echo');
      expect(sent, front).toContain(RLM);
    }
    expect(textsOf(shown.stream).join('')).toContain('50 %');
    // Cleaning the name of the unknown tool must not turn it into the known one.
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('echo\ufffd');
  });

  it('reach a tool in its arguments as the model wrote them', async () => {
    const seen: unknown[] = [];
    const run = (args: object) => `call ${seen.push(args)}`;
    const { call: send } = await openServer({
      replies: [{ calls: [{ name: 'echo', arguments: { text: 'a\r\nb\u001b' } }] }, 'Done.'],
      tools: [buildTool({ run })],
    });
    await send('POST /agent/helper/chat', { body: { message: 'hello' } });
    expect(seen).toEqual([{ text: 'a\r\nb\u001b' }]);
  });
});
