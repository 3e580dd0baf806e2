import { HttpAgent } from '@ag-ui/client';
import { createElement as h, useMemo, useState } from 'react';

/** A chat over AG-UI: text as it is written, calls with their results, and the question before a change. */
export function Chat({ url, headers }) {
  const agent = useMemo(() => new HttpAgent({ url, headers }), [url, headers]);
  const [messages, setMessages] = useState([]);
  const [asked, setAsked] = useState([]);
  const [problem, setProblem] = useState('');
  const run = (parameters) => {
    const shown = {
      onMessagesChanged: ({ messages }) => setMessages([...messages]),
      onRunFinishedEvent: ({ interrupts = [] }) => setAsked(interrupts),
      onRunErrorEvent: ({ event }) => setProblem(event.message),
    };
    agent.runAgent(parameters, shown).catch((error) => setProblem(error.message));
  };
  const send = (event) => {
    event.preventDefault();
    const { value } = event.target.elements.message;
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: value });
    run();
  };
  const decide = (approved) => {
    setAsked([]);
    run({ resume: asked.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved } })) });
  };
  const lines = messages.map(({ id, role, content, toolCalls = [] }) =>
    h('p', { key: id }, `${role}: ${content ?? ''}${toolCalls.map((call) => `[${call.function.name}]`).join('')}`),
  );
  return h(
    'form',
    { onSubmit: send },
    ...lines,
    asked.length > 0 && h('button', { type: 'button', id: 'allow', onClick: () => decide(true) }, asked[0].message),
    problem && h('em', null, problem),
    h('input', { name: 'message' }),
  );
}
