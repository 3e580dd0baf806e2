import { CopyButton } from '../../parts/copy-button.tsx';
import { formatCost, formatDuration } from '../../parts/format.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';
import { PANELS } from '../../side/panels.ts';
import { useActions, usePage } from '../../state/context.ts';
import { answerOf, type Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

interface TurnActionsProps {
  turn: Turn;
  isNewest: boolean;
  canAct: boolean;
}

/** Facts and buttons below an answer. */
export function TurnActions({ turn, isNewest, canAct }: TurnActionsProps) {
  const actions = useActions();
  const isBusy = usePage(({ line }) => line === 'gone');
  const { execution_time_ms: ms, tokens_used: tokens, cost_usd: cost = tokens?.cost_usd } = turn.facts;
  const facts = [
    ...(ms === undefined ? [] : [formatDuration(ms)]),
    ...(tokens?.total_tokens ? [STRINGS.actions.tokens(tokens.total_tokens)] : []),
    ...(cost === undefined ? [] : [formatCost(cost)]),
  ];
  const hasTrace = PANELS.some(({ side }) => side === 'trace');
  const rating = turn.feedback?.rating ?? null;
  const answer = answerOf(turn);
  const rate = (next: 'up' | 'down') => void actions.attempt(() => actions.rate(turn, rating === next ? null : next));
  return (
    <div className="turn-actions" role="group" aria-label={STRINGS.actions.label}>
      {hasTrace ? (
        <button type="button" className="quiet facts" onClick={() => actions.showSide('trace', turn.id)}>
          <Icon name="trace" />
          {[...facts, STRINGS.actions.trace].join(' · ')}
        </button>
      ) : (
        <span className="facts muted small">{facts.join(' · ')}</span>
      )}
      <span className="grow" />
      {answer && <CopyButton text={answer.text} label={STRINGS.actions.copy} done={STRINGS.actions.copied} />}
      {isNewest && canAct && turn.question && turn.status !== 'error' && (
        <button type="button" className="quiet" disabled={isBusy} onClick={() => void actions.answerAgain(turn)}>
          <Icon name="retry" />
          <span>{STRINGS.actions.retry}</span>
        </button>
      )}
      {canAct && (
        <button
          type="button"
          className="quiet"
          disabled={isBusy}
          onClick={() => void actions.attempt(() => actions.fork(turn))}
        >
          <Icon name="branch" />
          <span>{STRINGS.actions.fork}</span>
        </button>
      )}
      <IconButton
        icon="up"
        label={STRINGS.actions.up}
        className="quiet"
        aria-pressed={rating === 'up'}
        onClick={() => rate('up')}
      />
      <IconButton
        icon="thumbDown"
        label={STRINGS.actions.down}
        className="quiet"
        aria-pressed={rating === 'down'}
        onClick={() => rate('down')}
      />
    </div>
  );
}
