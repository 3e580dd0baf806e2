import { IconButton } from '../parts/icon-button.tsx';
import { NARROW, useMedia } from '../parts/use-media.ts';
import { PANELS } from '../side/panels.ts';
import { useActions, usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';
import { AgentSwitch } from './agent-switch.tsx';
import { Reach } from './reach.tsx';

export function Header() {
  const actions = useActions();
  const agent = usePage(currentAgent);
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
            <span className="header-model">
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
