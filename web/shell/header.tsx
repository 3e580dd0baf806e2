import { IconButton } from '../parts/icon.tsx';
import { NARROW, useMedia } from '../parts/use-media.ts';
import { PANELS } from '../side/panels.ts';
import { useActions, usePage } from '../state/context.ts';
import { currentAgent, currentSpeaker } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

export function Header() {
  const actions = useActions();
  const agent = usePage(currentAgent);
  const speaker = usePage(currentSpeaker);
  const line = usePage((state) => state.line);
  const side = usePage(({ place }) => place.side);
  const hasLine = usePage(({ conversation }) => conversation.id !== undefined && conversation.state !== 'missing');
  const isNarrow = useMedia(NARROW);
  return (
    <header className="header">
      {isNarrow && (
        <IconButton icon="menu" label={STRINGS.list.open} onClick={() => actions.set({ isListOpen: true })} />
      )}
      <div className="header-agent">
        <AgentSwitch />
        {agent && (
          <p className="header-facts">
            {speaker !== undefined && <strong>{STRINGS.header.speaker(speaker)}</strong>}
            <span className="header-model">
              {speaker !== undefined && '· '}
              {agent.model.is_builtin ? STRINGS.header.builtin : `${agent.model.provider}/${agent.model.name}`}
              {' · '}
              {STRINGS.header.tools(agent.tools)}
            </span>
            {agent.state !== 'ready' && <span className="bad">· {STRINGS.header[agent.state]}</span>}
            {hasLine && (
              <span className={`line-state ${line}`}>
                <span className="line-dot" aria-hidden="true" />
                {STRINGS.line[line]}
              </span>
            )}
          </p>
        )}
      </div>
      <Reach />
      {PANELS.filter(({ isOffered }) => isOffered?.(agent) ?? true).map(({ side: name, label, icon }) => (
        <IconButton
          key={name}
          icon={icon}
          label={label}
          aria-pressed={side === name}
          onClick={() => actions.showSide(side === name ? undefined : name)}
        />
      ))}
    </header>
  );
}

/** The agent of the conversation. Another one begins a conversation of its own. */
function AgentSwitch() {
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

/** Shows who can reach the page, or who is signed in. */
function Reach() {
  const actions = useActions();
  const me = usePage((state) => state.me);
  if (!me) return null;
  if (me.auth === 'none') {
    const isLocal = me.reach === 'loopback';
    return (
      <p className="reach" title={isLocal ? STRINGS.header.loopback : STRINGS.header.network}>
        {isLocal ? STRINGS.header.loopbackShort : STRINGS.header.networkShort}
      </p>
    );
  }
  return (
    <>
      <p className="reach">{STRINGS.header.signedIn(me.name ?? me.id)}</p>
      <IconButton icon="out" label={STRINGS.header.signOut} onClick={actions.signOut} />
    </>
  );
}
