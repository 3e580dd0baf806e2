/**
 * Acts like a CopilotKit page, as a script: the page's client → CopilotKit's runtime → HoloDeck's AG-UI endpoint.
 * `npm ci && npm start` in this folder; no key is needed, and it asserts its own result.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.COPILOTKIT_TELEMETRY_DISABLED = 'true';
const { HttpAgent } = await import('@ag-ui/client');
const { CopilotKitCore, ProxiedCopilotRuntimeAgent } = await import('@copilotkit/core');
const { CopilotRuntime, InMemoryAgentRunner } = await import('@copilotkit/runtime/v2');
const { createCopilotNodeListener } = await import('@copilotkit/runtime/v2/node');
const { z } = await import('zod');

const HOLODECK = process.env.HOLODECK ?? join(import.meta.dirname, '../../bin/holodeck.js');

const complaints = [];
for (const method of ['warn', 'error']) console[method] = (...words) => complaints.push(words.map(String).join(' '));

async function listen(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port };
}

/** `holodeck serve` with both agents; it speaks when it is ready. */
async function serveAgents(folder) {
  const { server, port } = await listen();
  server.close();
  const files = ['agent.yaml', 'unreachable.yaml'].map((file) => join(import.meta.dirname, file));
  const child = spawn(process.execPath, [HOLODECK, 'serve', ...files, '-p', String(port), '--data', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  assert.match(String(text), /serves desk, unreachable/);
  return { child, url: `http://127.0.0.1:${port}` };
}

/** CopilotKit's own runtime; each agent of ours is an HttpAgent there. */
async function serveCopilotKit(url) {
  const agentAt = (name) => new HttpAgent({ url: `${url}/agent/${name}/awp` });
  const runtime = new CopilotRuntime({
    agents: { desk: agentAt('desk'), unreachable: agentAt('unreachable') },
    runner: new InMemoryAgentRunner(),
  });
  const { server, port } = await listen(createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' }));
  return { server, runtimeUrl: `http://127.0.0.1:${port}/api/copilotkit` };
}

const folder = await mkdtemp(join(tmpdir(), 'holodeck-copilotkit-'));
const holodeck = await serveAgents(folder);
const { server, runtimeUrl } = await serveCopilotKit(holodeck.url);

// The parts of a page: CopilotKit's client, and a tool that only the page can run.
const themes = [];
const setTheme = {
  name: 'set_theme',
  description: 'Sets the theme of the page: dark or light',
  parameters: z.object({ theme: z.enum(['dark', 'light']) }),
  handler: async ({ theme }) => {
    themes.push(theme);
    return `The page is ${theme} now.`;
  },
};
// Its result is sent with the user's next message: the page asks for no reply to it.
const showPanel = {
  name: 'show_panel',
  description: 'Opens a panel of the page: help or settings',
  parameters: z.object({ panel: z.enum(['help', 'settings']) }),
  followUp: false,
  handler: async ({ panel }) => `The panel ${panel} is open.`,
};
const agentOfPage = (agentId) => new ProxiedCopilotRuntimeAgent({ runtimeUrl, agentId, transport: 'rest' });
const agents = { desk: agentOfPage('desk'), unreachable: agentOfPage('unreachable') };
const page = new CopilotKitCore({ agents__unsafe_dev_only: agents, tools: [setTheme, showPanel] });
const errors = [];
page.subscribe({ onError: ({ error }) => void errors.push(error.message) });

/** The reply to a message: each message as "role: text", a call as its name. */
async function ask(agent, content) {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
  return run(agent);
}

async function run(agent, options = {}) {
  const before = agent.messages.length;
  await page.runAgent({ agent, ...options });
  return agent.messages.slice(before).map((message) => {
    const call = message.toolCalls?.[0]?.function;
    return call ? `call: ${call.name} ${call.arguments}` : `${message.role}: ${message.content}`;
  });
}

/** Regenerate of a page, or Edit with another text: the message becomes the last one and is sent once more. */
async function again(agent, id, content) {
  const end = agent.messages.findIndex((message) => message.id === id);
  const kept = agent.messages.slice(0, end + 1);
  agent.setMessages(kept.map((message) => (message.id === id && content ? { ...message, content } : message)));
  return run(agent);
}

const idOf = (agent, content) => agent.messages.findLast((message) => message.content === content).id;

// Text.
assert.match((await ask(agents.desk, 'hello')).join('\n'), /^assistant: Hello/);

// A tool of the server's: the call, its result and the answer arrive as messages.
const added = await ask(agents.desk, 'remind me to buy milk');
assert.equal(added.length, 3);
assert.equal(added[0], 'call: add_task {"title":"buy milk"}');
assert.match(added[1], /^tool: .*"title":"buy milk"/);
assert.match(added[2], /^assistant: .*buy milk/);

// Regenerate: the call of before with its result, and a new answer. Nothing is done twice.
const milk = idOf(agents.desk, 'remind me to buy milk');
assert.deepEqual((await again(agents.desk, milk)).slice(0, 2), added.slice(0, 2));
assert.match((await ask(agents.desk, 'what are my tasks?')).join('\n'), /1 task\b/);

// Edit of an older message: the turns behind it leave the conversation; what they did stands.
assert.match((await again(agents.desk, milk, 'remind me to buy bread')).join('\n'), /buy bread/);
assert.match((await ask(agents.desk, 'what are my tasks?')).join('\n'), /2 tasks/);

// A tool of the page's: the run ends with the call, the page runs it, the next run brings the result.
assert.deepEqual(await ask(agents.desk, 'set the theme to dark'), [
  'call: set_theme {"theme":"dark"}',
  'tool: The page is dark now.',
  'assistant: The page is dark now.',
]);
assert.deepEqual(themes, ['dark']);

// A tool without a follow-up: its run ends with the result; the next message brings the result and is answered.
assert.deepEqual(await ask(agents.desk, 'open the panel help'), [
  'call: show_panel {"panel":"help"}',
  'tool: The panel help is open.',
]);
assert.match((await ask(agents.desk, 'hello')).join('\n'), /^assistant: Hello/);

// A tool of the server's that needs a decision: the run ends with an interrupt, the next run answers it.
assert.match((await ask(agents.desk, 'delete the task buy milk')).join('\n'), /call: delete_task/);
const [interrupt] = agents.desk.pendingInterrupts;
assert.match(interrupt.message, /delete_task/);
const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: false, reason: 'not yet' } }];
assert.match((await run(agents.desk, { resume })).join('\n'), /did not allow/);
assert.deepEqual(errors, []);

// A page that brings earlier messages to a new thread: they are kept as text, marked as seeded, and the message is answered.
const newThread = agentOfPage('desk');
newThread.setMessages([
  { id: crypto.randomUUID(), role: 'user', content: 'My name is Ann.' },
  { id: crypto.randomUUID(), role: 'assistant', content: 'Hello Ann.' },
]);
assert.match((await ask(newThread, 'what are my tasks?')).join('\n'), /2 tasks/);
const { sessions } = await (await fetch(`${holodeck.url}/sessions`)).json();
const { messages } = await (await fetch(`${holodeck.url}/sessions/${sessions[0].session_id}`)).json();
const texts = messages.filter(({ metadata }) => metadata.seeded).map(({ content }) => content);
assert.deepEqual(texts, ['My name is Ann.', 'Hello Ann.']);

// An error is reported once, in words for people. The conversation of the other agent continues.
assert.deepEqual(await ask(agents.unreachable, 'hello'), []);
assert.equal(errors.length, 1);
assert.match(errors[0], /could not be reached/);
assert.match((await ask(agents.desk, 'what are my tasks?')).join('\n'), /buy milk/);

// No part on the way reported an error.
assert.deepEqual(complaints, []);

server.closeAllConnections();
server.close();
holodeck.child.kill('SIGTERM');
await once(holodeck.child, 'exit');
await rm(folder, { recursive: true });
console.log('copilotkit example: all assertions hold');
