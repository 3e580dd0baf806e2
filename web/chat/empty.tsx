import { useActions, usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

/** A new conversation: the agent, and questions that show what it can do. */
export function Empty() {
  const actions = useActions();
  const agent = usePage(currentAgent);
  if (!agent) return null;
  return (
    <div className="empty">
      <div className="empty-inner">
        <h2>{STRINGS.empty.title(agent.name)}</h2>
        {agent.description && <p className="lead">{agent.description}</p>}
        {agent.problem && <p className="problem mild">{agent.problem}</p>}
        {agent.starters.length > 0 && (
          <>
            <h3 className="eyebrow">{STRINGS.empty.starters}</h3>
            <ul className="starters">
              {agent.starters.map((text) => (
                <li key={text}>
                  <button type="button" className="starter" onClick={() => void actions.send(text, [])}>
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        {agent.has_domains && <p className="muted small">{STRINGS.empty.hint}</p>}
      </div>
    </div>
  );
}

/** A conversation that is not there, or that could not be read. */
export function Missing() {
  const actions = useActions();
  const { state, problem, id } = usePage(({ conversation }) => conversation);
  const isMissing = state === 'missing';
  return (
    <div className="empty">
      <div className="empty-inner">
        <h2>{isMissing ? STRINGS.log.missing : STRINGS.log.failed}</h2>
        <p className="lead">{isMissing ? STRINGS.log.missingDetail : problem}</p>
        <p>
          {!isMissing && id && (
            <button type="button" onClick={() => actions.openConversation(id)}>
              {STRINGS.log.again}
            </button>
          )}
          <button type="button" className="primary" onClick={() => actions.newConversation()}>
            {STRINGS.list.create}
          </button>
        </p>
      </div>
    </div>
  );
}
