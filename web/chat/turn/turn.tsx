import { lazy, memo, Suspense, useState } from 'react';
import { PlainText } from '../../parts/folded-text.tsx';
import { useActions } from '../../state/context.ts';
import { readDataResult } from '../../state/data-result.ts';
import { shownAnswer } from '../../state/shown-answer.ts';
import { answerOf, isRunning, type Part, type Turn as ShownTurn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { Calls } from '../calls/calls.tsx';
import { Answer } from './answer.tsx';
import { choicesOf, Next } from './next.tsx';
import { Outcome } from './outcome.tsx';
import { Question } from './question.tsx';
import { Routing } from './routing.tsx';
import { TurnActions } from './turn-actions.tsx';
import { Verdict } from './verdict.tsx';

/** Loaded with the first turn that has one. */
const Charts = lazy(() => import('../../chart/charts.tsx'));
const FileVerdicts = lazy(() => import('./file-verdicts.tsx'));
const Sources = lazy(() => import('./sources.tsx'));
const Waits = lazy(() => import('../waits/waits.tsx'));

interface TurnProps {
  turn: ShownTurn;
  isNewest: boolean;
  /** False where the conversation can only be read. */
  canAct: boolean;
}

/** A question and everything until its answer. */
export const Turn = memo(({ turn, isNewest, canAct }: TurnProps) => {
  const actions = useActions();
  const { question, routing, parts, files, notices, status, facts } = turn;
  const isOpen = isRunning(turn);
  const isEnded = !isOpen && status !== 'waiting' && status !== 'unsent' && status !== 'interrupted';
  const onEdit = isOpen || !question || !canAct ? undefined : (text: string) => void actions.answerAgain(turn, text);
  return (
    <>
      {question && <Question question={question} onEdit={onEdit} />}
      <div className="reply">
        <Suspense>{files.length > 0 && <FileVerdicts files={files} />}</Suspense>
        {routing && <Routing routing={routing} />}
        {parts.map((part) => (
          <PartView key={`${part.kind}.${part.id}`} part={part} turn={turn} />
        ))}
        {isOpen && parts.length === 0 && <div className="typing" aria-hidden="true" />}
        {notices.map((text) => (
          <p key={text} className="note">
            {text}
          </p>
        ))}
        {isEnded && hasRows(turn) && (
          <Suspense>
            <Charts turn={turn} />
          </Suspense>
        )}
        {isEnded && facts.citations && (
          <Suspense>
            <Sources turn={turn} />
          </Suspense>
        )}
        {isEnded && <Verdict turn={turn} />}
        {status === 'waiting' && canAct && (
          <Suspense>
            <Waits turn={turn} />
          </Suspense>
        )}
        <Outcome turn={turn} isNewest={isNewest && canAct} />
        {isEnded && isNewest && canAct && (
          <>
            <Next label={STRINGS.next.choices} choices={choicesOf(turn)} />
            <Next
              label={STRINGS.next.label}
              choices={(facts.suggestions ?? []).map((text) => ({ label: text, text }))}
            />
          </>
        )}
        {isEnded && <TurnActions turn={turn} isNewest={isNewest} canAct={canAct} />}
      </div>
    </>
  );
});

const NO_CHECKS: ShownTurn['checks'] = [];
const NO_CITATIONS: NonNullable<ShownTurn['facts']['citations']> = [];

function PartView({ part, turn }: { part: Part; turn: ShownTurn }) {
  if (part.kind === 'calls') return <Calls ids={part.calls} turn={turn} />;
  if (part.kind === 'reasoning') return <Reasoning text={part.text} />;
  const isAnswer = answerOf(turn) === part;
  const text = isAnswer ? shownAnswer(part.text, turn.facts.suggestions ?? [], isRunning(turn)) : part.text;
  return (
    <>
      {part.agent && <p className="note">{part.agent}</p>}
      <Answer
        id={part.id}
        text={text}
        checks={isAnswer ? turn.checks : NO_CHECKS}
        citations={(isAnswer && turn.facts.citations) || NO_CITATIONS}
      />
    </>
  );
}

function hasRows({ calls }: ShownTurn): boolean {
  return Object.values(calls).some(({ result }) => readDataResult(result));
}

/** Thoughts of the model, folded: they are no answer. */
function Reasoning({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="reasoning" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{STRINGS.reasoning.label}</summary>
      <p>{isOpen && <PlainText text={text} />}</p>
    </details>
  );
}
