/**
 * The smallest code that does the job: a loop on node:http that parses each delta, runs tools and forwards both. With
 * BENCH_DATA it also keeps the promise of a journal: two commits a turn and two a tool call, each flushed to the disk.
 */
import { fdatasync, openSync, writeSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { shownTools } from './tool-list.mjs';

const url = new URL(`${process.env.MOCK_URL}/chat/completions`);
const agent = new http.Agent({ keepAlive: true, maxSockets: 2000 });
const parameters = { type: 'object', properties: { ms: { type: 'number' }, n: { type: 'number' } } };
const tools = [
  { type: 'function', function: { name: 'work', description: 'Do some work', parameters } },
  ...shownTools(Number(process.env.BENCH_TOOLS ?? 0)),
];

const journal = process.env.BENCH_DATA && openSync(join(process.env.BENCH_DATA, `floor-${process.pid}`), 'a');
/** Records that wait for the next flush, which they share. */
let waiting = [];
let isFlushing = false;

function commit(record) {
  if (!journal) return;
  const { promise, resolve } = Promise.withResolvers();
  waiting.push({ line: `${JSON.stringify(record)}\n`, resolve });
  flush();
  return promise;
}

function flush() {
  if (isFlushing || waiting.length === 0) return;
  const group = waiting;
  waiting = [];
  isFlushing = true;
  writeSync(journal, group.map(({ line }) => line).join(''));
  fdatasync(journal, (error) => {
    if (error) throw error;
    isFlushing = false;
    for (const { resolve } of group) resolve();
    flush();
  });
}

async function run(call) {
  await commit({ call });
  const content = await work(call.function.arguments);
  await commit({ id: call.id, content });
  return content;
}

function work(text) {
  const { ms, n } = JSON.parse(text);
  return new Promise((resolve) => (ms ? setTimeout(resolve, ms, `done ${n}`) : resolve(`done ${n}`)));
}

function lines(onEvent) {
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (text.startsWith('data: {', start)) onEvent(JSON.parse(text.slice(start + 6, end)));
      start = end + 1;
    }
    rest = text.slice(start);
  };
}

function take(reply, delta, emit) {
  if (delta.content) {
    reply.text += delta.content;
    emit({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: delta.content });
  }
  for (const part of delta.tool_calls ?? []) {
    const name = part.function?.name ?? '';
    const call = reply.calls[part.index] ?? { id: part.id ?? '', type: 'function', function: { name, arguments: '' } };
    reply.calls[part.index] = call;
    call.function.arguments += part.function?.arguments ?? '';
    emit({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta: part.function?.arguments });
  }
}

function ask(messages, emit) {
  const body = JSON.stringify({
    model: 'mock',
    messages,
    tools,
    stream: true,
    stream_options: { include_usage: true },
  });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const reply = { text: '', calls: [] };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      const read = lines((event) => take(reply, event.choices[0]?.delta ?? {}, emit));
      response.setEncoding('utf8').on('data', read);
      response.on('end', () => resolve(reply)).on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

async function turn(messages, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const emit = (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  emit({ type: 'RUN_STARTED', threadId: 't', runId: 'r' });
  await commit({ message: messages.at(-1) });
  for (;;) {
    const { text, calls } = await ask(messages, emit);
    messages.push({ role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls: calls }) });
    if (calls.length === 0) break;
    const results = await Promise.all(calls.map(run));
    for (const [index, content] of results.entries()) {
      messages.push({ role: 'tool', tool_call_id: calls[index]?.id ?? '', content });
      emit({ type: 'TOOL_CALL_RESULT', toolCallId: calls[index]?.id, content });
    }
  }
  await commit({ answer: messages.at(-1) });
  response.end(`data: ${JSON.stringify({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' })}\n\n`);
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const { messages } = JSON.parse(Buffer.concat(pieces).toString());
    turn(messages, response).catch(() => response.destroy());
  });
});
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
