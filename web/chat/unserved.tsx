import { usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** In place of the composer: the conversation of an agent that this server does not have can only be read. */
export default function Unserved() {
  const agent = usePage(({ conversation }) => conversation.agent);
  return (
    <div className="unserved" role="note">
      <p>{STRINGS.unserved.title(agent)}</p>
      <p className="muted small">
        {STRINGS.unserved.detail} <code>{STRINGS.unserved.command(agent)}</code>
      </p>
    </div>
  );
}
