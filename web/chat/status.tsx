import { usePage } from '../state/context.ts';
import { newestTurn } from '../state/conversation.ts';
import { describeStatus } from '../state/describe-status.ts';
import { STRINGS } from '../strings.ts';
import { Announcer } from './announcer.tsx';

/** The line above the composer: what the agent does now, or what is wrong with the connection. */
export function Status() {
  const turn = usePage(({ conversation }) => newestTurn(conversation));
  const line = usePage((state) => state.line);
  const hasConversation = usePage(({ conversation }) => conversation.id !== undefined);
  const isLost = hasConversation && (line === 'behind' || line === 'gone');
  const text = isLost ? STRINGS.status[line] : turn ? describeStatus(turn) : '';
  return (
    <div className={isLost ? 'status lost' : 'status'}>
      <p aria-hidden="true">{text}</p>
      <Announcer turn={turn} problem={isLost ? text : ''} />
    </div>
  );
}
