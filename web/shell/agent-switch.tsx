import { useActions, usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

/** The agent of the conversation. Another one begins a conversation of its own. */
export function AgentSwitch() {
  const actions = useActions();
  const agents = usePage((state) => state.agents);
  const name = usePage((state) => currentAgent(state)?.name ?? state.conversation.agent);
  const isServed = agents.some((agent) => agent.name === name);
  if (agents.length < 2) return <h1 className="agent-name">{name}</h1>;
  return (
    <h1 className="agent-name">
      <select
        aria-label={STRINGS.header.switchAgent}
        value={name}
        onChange={(event) => actions.newConversation(event.target.value)}
      >
        {!isServed && <option>{name}</option>}
        {agents.map((agent) => (
          <option key={agent.name}>{agent.name}</option>
        ))}
      </select>
    </h1>
  );
}
