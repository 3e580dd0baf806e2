import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface ChatMessage {
  role: string;
  content?: string;
}

export interface FakeModel {
  url: string;
  close(): Promise<void>;
}

/** Milliseconds between two words of a slow answer. */
const SLOW_MS = 150;

/**
 * A provider that reads its orders from the newest user message: `count <id> [words]` calls the tool `count` once and
 * then answers, at once or word by word; `slow <words>` answers word by word.
 */
export async function startFakeModel(): Promise<FakeModel> {
  const server = http.createServer(async (request, response) => {
    response.on('error', () => {});
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: ChatMessage[] };
    await answer(messages, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(messages: ChatMessage[], response: http.ServerResponse): Promise<void> {
  const index = messages.findLastIndex(({ role }) => role === 'user');
  const [order = '', value = '', length = ''] = (messages[index]?.content ?? '').split(/\s+/);
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const isCounted = messages.slice(index + 1).some(({ role }) => role === 'tool');
  if (order === 'count' && !isCounted) {
    const call = {
      index: 0,
      id: `call-${value}`,
      type: 'function',
      function: { name: 'count', arguments: JSON.stringify({ id: value }) },
    };
    send({ tool_calls: [call] });
    send({}, 'tool_calls');
  } else {
    const slow = Number(order === 'slow' ? value : length);
    const words = Array.from({ length: slow }, (_, place) => `word${place} `);
    for (const content of words) {
      send({ content });
      await delay(SLOW_MS);
      if (response.destroyed) return;
    }
    if (order !== 'slow') send({ content: `Done ${value}.` });
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}
