import { useEffect, useRef, useState } from 'react';
import { cleanName } from '../parts/format.ts';
import { usePage } from '../state/context.ts';
import { newestTurn } from '../state/conversation.ts';
import { answerOf, type Turn } from '../state/turn.ts';
import { STRINGS } from '../strings.ts';

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

const SPOKEN = 400;
/** The part of an answer that is searched for marks of Markdown. */
const READ = 4_000;

/** Sentences for screen readers: once when an answer begins, once when it ends. Text that streams is not spoken. */
function Announcer({ turn, problem }: { turn: Turn | undefined; problem: string }) {
  const [text, setText] = useState('');
  const before = useRef(keyOf(turn));
  const key = keyOf(turn);
  useEffect(() => {
    if (key === before.current) return;
    before.current = key;
    setText(turn ? speak(turn) : '');
  }, [key, turn]);
  const isWaiting = turn?.status === 'waiting';
  return (
    <>
      <p role="status" className="visually-hidden">
        {problem || (isWaiting ? '' : text)}
      </p>
      <p aria-live="assertive" className="visually-hidden">
        {isWaiting ? STRINGS.status.waiting : ''}
      </p>
    </>
  );
}

function keyOf(turn: Turn | undefined): string {
  if (!turn) return '';
  return `${turn.question?.id}.${turn.status === 'sending' ? 'running' : turn.status}`;
}

function speak(turn: Turn): string {
  switch (turn.status) {
    case 'sending':
    case 'running':
      return STRINGS.status.answering;
    case 'cancelled':
      return STRINGS.status.stopped;
    case 'error':
    case 'unsent':
      return `${STRINGS.status.failed}: ${turn.failure?.message ?? ''}`;
    case 'interrupted':
      return `${STRINGS.turn.interrupted}. ${STRINGS.turn.notAgain}`;
    default:
      return `${STRINGS.status.done}: ${plain((answerOf(turn)?.text ?? '').slice(0, READ)).slice(0, SPOKEN)}`;
  }
}

/** Marks of Markdown are not read aloud. */
function plain(text: string): string {
  return text
    .replace(/[*_`#>|]|^-{3,}/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The state of a running or waiting turn in a few words; empty when it has ended. */
function describeStatus(turn: Turn): string {
  if (turn.status === 'sending') return STRINGS.status.sending;
  if (turn.status === 'waiting') return STRINGS.status.waiting;
  if (turn.status !== 'running') return '';
  if (turn.fileProgress) return STRINGS.status.reading(turn.fileProgress);
  const running = Object.values(turn.calls).filter((call) => call.state === 'running');
  const names = [...new Set(running.map((call) => cleanName(call.name)))].join(', ');
  const step = turn.step > 1 ? ` · ${STRINGS.status.step(turn.step)}` : '';
  return `${names ? STRINGS.status.calling(names) : STRINGS.status.answering}${step}`;
}
