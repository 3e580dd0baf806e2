// Talks to the server at URL as `useChat` does, and prints one line of JSON per step. SDK names the version's package.
const { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } = await import(
  process.env.SDK ?? 'ai'
);
const api = `${process.env.URL}/agent/helper/ui`;
const authorization = 'Bearer alice';

/** The state that React keeps for `useChat`. */
class ChatState {
  status = 'ready';
  error = undefined;
  messages = [];
  pushMessage = (message) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, message);
  };
  snapshot = (value) => structuredClone(value);
}

class Chat extends AbstractChat {
  constructor(id, options = {}) {
    const transport = new DefaultChatTransport({ api, headers: { authorization, ...options.headers } });
    super({ id, transport, state: new ChatState(), onError: (error) => this.errors.push(error.message), ...options });
    this.state.messages = options.messages ?? [];
  }
  errors = [];
}

const partsOf = (chat) =>
  chat.messages.at(-1).parts.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'dynamic-tool' ? [[part.toolName, part.state, part.output ?? null]] : [];
  });
const print = (step, value) => console.log(JSON.stringify({ step, ...value }));
const untilReady = async (chat) => {
  while (chat.status !== 'ready' && chat.status !== 'error') await new Promise((resolve) => setTimeout(resolve, 20));
};

const chat = new Chat('talk');
await chat.sendMessage({ text: 'hello' });
const { metadata } = chat.messages.at(-1);
print('text', { parts: partsOf(chat), status: metadata.status, hasSession: typeof metadata.session_id === 'string' });
await chat.sendMessage({ text: 'use a tool' });
print('tool', { parts: partsOf(chat), count: chat.messages.length });
await chat.regenerate();
print('regenerated', { parts: partsOf(chat), count: chat.messages.length });

const file = {
  type: 'file',
  mediaType: 'text/plain',
  filename: 'a.txt',
  url: 'data:text/plain;base64,TWlsayBhbmQgYnJlYWQ=',
};
await chat.sendMessage({ role: 'user', parts: [{ type: 'text', text: 'read it' }, file] });
print('file', { parts: partsOf(chat) });

// Version 5 has no approvals: there the page of the app decides, or POST /sessions/{id}/resume.
const hasApprovals = lastAssistantMessageIsCompleteWithApprovalResponses !== undefined;
for (const approved of hasApprovals ? [true, false] : []) {
  const asking = new Chat(`asking-${approved}`, {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  await asking.sendMessage({ text: 'remove all' });
  print('asked', { parts: partsOf(asking) });
  const part = asking.messages.at(-1).parts.find(({ type }) => type === 'dynamic-tool');
  await asking.addToolApprovalResponse({ id: part.approval.id, approved });
  await untilReady(asking);
  print(approved ? 'approved' : 'denied', { parts: partsOf(asking), count: asking.messages.length });
}

const failing = new Chat('failing');
await failing.sendMessage({ text: 'fail' });
print('failed', { errors: failing.errors.length, status: failing.status });

const stopped = new Chat('stopped');
const sending = stopped.sendMessage({ text: 'hang' });
while (stopped.messages.at(-1)?.role !== 'assistant') await new Promise((resolve) => setTimeout(resolve, 20));
await stopped.stop();
await sending;
print('stopped', { status: stopped.status });

/** A page that is opened again: the same chat without the answer that runs. */
const idle = new Chat('talk', { messages: chat.messages });
await idle.resumeStream();
print('nothing to resume', { errors: idle.errors, status: idle.status, count: idle.messages.length });

const first = new Chat('resumed', { headers: { prefer: 'respond-async' } });
const begun = first.sendMessage({ text: 'hang' });
while (first.messages.at(-1)?.role !== 'assistant') await new Promise((resolve) => setTimeout(resolve, 20));
const second = new Chat('resumed', { messages: first.messages.slice(0, 1) });
const resumed = second.resumeStream();
while (second.messages.at(-1)?.role !== 'assistant') await new Promise((resolve) => setTimeout(resolve, 20));
const { session_id } = second.messages.at(-1).metadata;
await fetch(`${process.env.URL}/sessions/${session_id}/cancel`, { method: 'POST', headers: { authorization } });
await Promise.all([begun, resumed]);
const isSame = first.messages.at(-1).id === second.messages.at(-1).id;
print('resumed', { parts: partsOf(second), isSame, errors: second.errors, count: second.messages.length });
