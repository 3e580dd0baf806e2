import { Code } from '../markdown/code.tsx';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';

/** This very conversation by other ways: HTTP, AG-UI and the terminal. */
export default function WaysPanel() {
  const id = usePage(({ conversation }) => conversation.id);
  const agent = usePage(currentAgent)?.name ?? '';
  const needsToken = usePage(({ me }) => me?.auth === 'token');
  const ways = describeWays({ origin: window.location.origin, agent, needsToken, ...(id && { conversation: id }) });
  return (
    <div className="row-panel">
      <p className="muted">{id ? PANEL_STRINGS.ways.same : PANEL_STRINGS.ways.first}</p>
      {ways.map(({ label, text }) => (
        <Code key={label} text={text} language={label} />
      ))}
    </div>
  );
}

export interface WaysInput {
  origin: string;
  agent: string;
  needsToken: boolean;
  /** Absent before the first message: each way then begins a conversation. */
  conversation?: string;
}

export interface Way {
  label: string;
  text: string;
}

/** Commands and code that continue the conversation. The token is named, never shown. */
export function describeWays({ origin, agent, needsToken, conversation }: WaysInput): Way[] {
  const url = `${origin}/agent/${encodeURIComponent(agent)}`;
  const header = needsToken ? ` \\\n  -H "authorization: Bearer $TOKEN"` : '';
  const body = JSON.stringify({ message: 'hello', ...(conversation && { session_id: conversation }) });
  const send = `curl -s ${url}/chat${header} \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
  const follow = `curl -sN '${origin}/sessions/${conversation}/events?follow=1'${header}`;
  const headers = needsToken ? '\n  headers: { authorization: `Bearer ${process.env.TOKEN}` },' : '';
  const thread = conversation ? `\n  threadId: ${JSON.stringify(conversation)},` : '';
  const agui = `import { HttpAgent } from '@ag-ui/client';

const agent = new HttpAgent({
  url: '${url}/awp',${headers}${thread}
});
agent.messages = [{ id: crypto.randomUUID(), role: 'user', content: 'hello' }];
await agent.runAgent({}, { onTextMessageContentEvent: ({ event }) => process.stdout.write(event.delta) });`;
  return [
    { label: PANEL_STRINGS.ways.send, text: send },
    ...(conversation ? [{ label: PANEL_STRINGS.ways.follow, text: follow }] : []),
    { label: PANEL_STRINGS.ways.agui, text: agui },
    ...(needsToken
      ? []
      : [
          {
            label: PANEL_STRINGS.ways.terminal,
            text: `holodeck chat agent.yaml${conversation ? ` --resume ${conversation}` : ''}`,
          },
        ]),
  ];
}
