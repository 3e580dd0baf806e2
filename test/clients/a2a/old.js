import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from 'a2a-03/client';

/** The steps of main.js with the client of A2A 0.3. */
export async function talkOld({ base, fetchAs, print }) {
  const openClient = (user) => {
    const fetchImpl = fetchAs(user);
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
    const transports = [new JsonRpcTransportFactory({ fetchImpl })];
    return new ClientFactory({ transports, cardResolver }).createFromUrl(base);
  };
  let count = 0;
  const say = (text, more = {}) => ({
    message: { kind: 'message', messageId: `old${++count}`, role: 'user', parts: [{ kind: 'text', text }], ...more },
  });
  const taskOf = ({ kind, status, artifacts = [] }) => ({
    kind,
    state: status.state,
    text: artifacts.map(({ parts }) => parts.map((part) => part.text).join('')).join('|'),
    ...(status.message && { says: status.message.parts[0].text }),
  });

  const alice = await openClient('alice');
  const bob = await openClient('bob');
  const first = await alice.sendMessage(say('hello'));
  print('0.3 message', taskOf(first));
  print('0.3 read', taskOf(await alice.getTask({ id: first.id })));
  const seen = [];
  for await (const event of alice.sendMessageStream(say('again', { contextId: first.contextId }))) {
    if (event.kind === 'artifact-update') seen.push(event.artifact.parts[0].text);
    else seen.push([event.kind, event.status.state, event.contextId === first.contextId]);
  }
  print('0.3 stream', { seen });
  const asked = await alice.sendMessage(say('remove all'));
  print('0.3 asked', taskOf(asked));
  const foreign = await bob.getTask({ id: asked.id }).catch((error) => error);
  print('0.3 foreign', { error: foreign.name });
  print('0.3 answered', taskOf(await alice.sendMessage(say('yes', { taskId: asked.id, contextId: asked.contextId }))));
  print('0.3 failed', { state: (await alice.sendMessage(say('fail'))).status.state });
  const running = await alice.sendMessage({ ...say('hang'), configuration: { blocking: false } });
  print('0.3 cancelled', { state: (await alice.cancelTask({ id: running.id })).status.state });
  const twice = await alice.cancelTask({ id: running.id }).catch((error) => error);
  print('0.3 cancelled twice', { error: twice.name });
}
