import { cleanName } from '../parts/clean-name.ts';
import { STRINGS } from '../strings.ts';
import type { Turn } from './turn.ts';

/** The state of a running or waiting turn in a few words; empty when it has ended. */
export function describeStatus(turn: Turn): string {
  if (turn.status === 'sending') return STRINGS.status.sending;
  if (turn.status === 'waiting') return STRINGS.status.waiting;
  if (turn.status !== 'running') return '';
  if (turn.fileProgress) return STRINGS.status.reading(turn.fileProgress);
  const running = Object.values(turn.calls).filter((call) => call.state === 'running');
  const names = [...new Set(running.map((call) => cleanName(call.name)))].join(', ');
  const step = turn.step > 1 ? ` · ${STRINGS.status.step(turn.step)}` : '';
  return `${names ? STRINGS.status.calling(names) : STRINGS.status.answering}${step}`;
}
