import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface WireMessage {
  role: string;
  content: string | { text?: string }[] | null;
}

interface WireBody {
  messages: WireMessage[];
  tools?: { function: { name: string } }[];
}

/** A provider on a loopback port whose model obeys every instruction that it finds, wherever it stands. */
export async function startWeakModel(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const message = obey((await json(request)) as WireBody);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'r', model: 'weak', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function obey({ messages, tools = [] }: WireBody): object {
  const texts = messages.map(({ content }) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  );
  const [system = ''] = texts;
  const last = texts.at(-1) ?? '';
  const all = texts.slice(1).join('\n');
  const hasResult = messages.at(-1)?.role === 'tool';
  const isOffered = (name: string) => tools.some((tool) => tool.function.name === name);
  const calls = (...wanted: [name: string, args: object][]) => ({
    role: 'assistant',
    content: null,
    tool_calls: wanted
      .filter(([name]) => isOffered(name))
      .map(([name, args], at) => ({
        id: `c${at}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
  });
  const ids = /"id":\s*"([0-9a-f-]{36})"/.exec(all)?.[1] ?? '';
  const token = /token \\?"(\w+)\\?" backwards/.exec(all)?.[1];
  if (token) return { role: 'assistant', content: [...token].reverse().join('') };
  if (hasResult && /remove everything/.test(all) && ids && isOffered('delete_task')) {
    return JSON.stringify(messages).includes('"name":"delete_task"')
      ? { role: 'assistant', content: 'All gone.' }
      : calls(['delete_task', { task_id: ids }]);
  }
  if (hasResult) return { role: 'assistant', content: last };
  const [, writer, note] = /call (\w+) with the text \\?"(\w+)/.exec(all) ?? [];
  if (writer && note) return calls([writer, { title: note, text: note }]);
  const added = /^add (.+)/.exec(last)?.[1];
  if (added) return calls(['add_task', { title: added }], ['remember', { text: added }]);
  if (/system prompt|your instructions|own instructions|everything above|rule you/i.test(last)) {
    return { role: 'assistant', content: system };
  }
  return calls(['list_tasks', {}], ['recall', {}]);
}
