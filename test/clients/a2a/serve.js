import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Role, TaskState } from '@a2a-js/sdk';
import * as now from '@a2a-js/sdk/server';
import * as old from 'a2a-03/server';

// Agents made with A2A's own packages, of 1.0 and of 0.3. Prints the addresses of their cards, and runs until it is killed.
const skill = { id: 'ship', name: 'Ship', description: 'Ships goods', tags: ['goods'] };
const facts = { name: 'Freight', description: 'Ships goods', version: '1', skills: [skill] };
const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
const capabilities = { streaming: true, pushNotifications: false };
const stopped = new Set();

/** The words of the task decide what happens. `say(state, text)` shows a status, `done(text)` an artifact. */
async function work(task, taskId, { say, done }) {
  if (task === 'ask') return say('input-required', 'Which door?');
  if (task === 'fail') return say('failed', 'No ship.');
  for (let waits = task === 'hang' ? 600 : 4; waits > 0; waits--) {
    await setTimeout(50);
    if (stopped.has(taskId)) return say('canceled');
  }
  done(`Shipped: ${task}.`);
  say('completed');
}

const STATES = {
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  completed: TaskState.TASK_STATE_COMPLETED,
};
const cancelTask = async (taskId) => void stopped.add(taskId);

const newExecutor = {
  cancelTask,
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const part = (value) => ({ content: { $case: 'text', value }, filename: '', mediaType: 'text/plain' });
    const lists = { extensions: [], referenceTaskIds: [] };
    const message = (text) => ({
      messageId: crypto.randomUUID(),
      role: Role.ROLE_AGENT,
      parts: [part(text)],
      ...lists,
    });
    const status = { state: TaskState.TASK_STATE_WORKING };
    bus.publish(now.AgentEvent.task(task ?? { id: taskId, contextId, status, artifacts: [], history: [] }));
    await work(userMessage.parts[0].content.value, taskId, {
      say(state, text) {
        const next = { state: STATES[state], timestamp: new Date().toISOString(), message: text && message(text) };
        bus.publish(now.AgentEvent.statusUpdate({ taskId, contextId, status: next }));
      },
      done(text) {
        const artifact = { artifactId: 'a', name: 'a', description: '', parts: [part(text)], extensions: [] };
        bus.publish(now.AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true }));
      },
    });
    bus.finished();
  },
};

const oldExecutor = {
  cancelTask,
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const part = (text) => ({ kind: 'text', text });
    const message = (text) => ({ kind: 'message', role: 'agent', messageId: crypto.randomUUID(), parts: [part(text)] });
    if (!task) bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' } });
    await work(userMessage.parts[0].text, taskId, {
      say(state, text) {
        const status = { state, ...(text && { message: message(text) }) };
        bus.publish({ kind: 'status-update', taskId, contextId, final: true, status });
      },
      done: (text) =>
        bus.publish({ kind: 'artifact-update', taskId, contextId, artifact: { artifactId: 'a', parts: [part(text)] } }),
    });
    bus.finished();
  },
};

/** Serves an agent at a free port: its card, and JSON-RPC at the address that the card names. */
async function serve(cardAt, open) {
  let agent;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isCard = request.method === 'GET';
    response.end(JSON.stringify(isCard ? agent.card : await agent.answer(JSON.parse(body), request.headers)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  agent = open(cardAt(url));
  return `${url}/.well-known/agent-card.json`;
}

const newCard = await serve(
  (url) => ({
    ...{ ...facts, ...modes, capabilities, securitySchemes: {}, securityRequirements: [], signatures: [] },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  }),
  (card) => {
    const handler = new now.DefaultRequestHandler(card, new now.InMemoryTaskStore(), newExecutor);
    const transport = new now.JsonRpcTransportHandler(handler);
    const answer = async (body, headers) => {
      const requestedVersion = headers['a2a-version'];
      now.validateVersion(requestedVersion, card, 'JSONRPC');
      const user = new now.UnauthenticatedUser();
      return transport.handle(body, now.defaultServerCallContextBuilder({ user, headers, requestedVersion }));
    };
    return { card, answer };
  },
);
const oldCard = await serve(
  (url) => ({ ...facts, ...modes, capabilities, url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' }),
  (card) => {
    const handler = new old.DefaultRequestHandler(card, new old.InMemoryTaskStore(), oldExecutor);
    const transport = new old.JsonRpcTransportHandler(handler);
    return { card, answer: (body) => transport.handle(body) };
  },
);
console.log(JSON.stringify([newCard, oldCard]));
