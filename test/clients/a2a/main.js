import { Role } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { talkOld } from './old.js';

// Talks to the server at URL with A2A's own clients, of 1.0 and of 0.3, and prints one line of JSON per step.
const base = `${process.env.URL}/agent/helper/`;

const fetchAs =
  (user) =>
  (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${user}`);
    return fetch(url, { ...init, headers });
  };

function openClient(user) {
  const fetchImpl = fetchAs(user);
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  return new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })], cardResolver }).createFromUrl(
    base,
  );
}

let count = 0;
function say(text, parts = {}) {
  const message = {
    messageId: `m${++count}`,
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    contextId: '',
    taskId: '',
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...parts,
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

const taskOf = ({ status, artifacts }) => ({
  state: status.state,
  text: artifacts.map((artifact) => artifact.parts.map((part) => part.content.value).join('')).join('|'),
  ...(status.message && { says: status.message.parts[0].content.value }),
});
const print = (step, value) => console.log(JSON.stringify({ step, ...value }));

const alice = await openClient('alice');
const bob = await openClient('bob');
const first = await alice.sendMessage(say('hello'));
print('message', taskOf(first));
print('read', taskOf(await alice.getTask({ tenant: '', id: first.id })));

const seen = [];
for await (const { payload } of alice.sendMessageStream(say('again', { contextId: first.contextId }))) {
  if (payload.$case === 'artifactUpdate') seen.push(payload.value.artifact.parts[0].content.value);
  else seen.push([payload.$case, payload.value.status.state, payload.value.contextId === first.contextId]);
}
print('stream', { seen });

const asked = await alice.sendMessage(say('remove all'));
print('asked', taskOf(asked));
const foreign = await bob.getTask({ tenant: '', id: asked.id }).catch((error) => error);
print('foreign', { error: foreign.name });
const taken = await bob.sendMessage(say('yes', { taskId: asked.id })).catch((error) => error);
print('foreign answer', { error: taken.name });
print('answered', taskOf(await alice.sendMessage(say('yes', { taskId: asked.id, contextId: asked.contextId }))));
const asked2 = await alice.sendMessage(say('remove all'));
print('denied', taskOf(await alice.sendMessage(say('rather not', { taskId: asked2.id, contextId: asked2.contextId }))));

print('failed', { state: (await alice.sendMessage(say('fail'))).status.state });

const atOnce = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true };
const running = await alice.sendMessage({ ...say('hang'), configuration: atOnce });
print('running', taskOf(running));
print('cancelled', {
  state: (await alice.cancelTask({ tenant: '', id: running.id, metadata: undefined })).status.state,
});
const twice = await alice.cancelTask({ tenant: '', id: running.id, metadata: undefined }).catch((error) => error);
print('cancelled twice', { error: twice.name });
await talkOld({ base, fetchAs, print });
