import { useCallback, useMemo } from 'react';
import type { Citation, NumberCheck } from '../../../src/schema/conversation/turn.ts';
import { joinMarks, type Mark } from '../../markdown/figure-spans.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useActions, usePage } from '../../state/context.ts';
import { STRINGS } from '../../strings.ts';
import { Footnote } from './footnote.tsx';

interface AnswerProps {
  /** Id of the message, which is part of the address of each figure and citation. */
  id: string;
  text: string;
  checks: readonly NumberCheck[];
  citations: readonly Citation[];
}

export function Answer({ id, text, checks, citations }: AnswerProps) {
  const actions = useActions();
  const shown = usePage(({ place }) => (place.at?.startsWith(`${id}.`) ? place.at : undefined));
  const marks = useMemo(() => joinMarks(text, checks, citations), [text, checks, citations]);
  const drawMark = useCallback(
    (mark: Mark, key: string) => {
      const isCitation = mark.kind === 'citation';
      const at = `${id}.${isCitation ? mark.citation.id : mark.start}`;
      const isShown = shown === at;
      return isCitation ? (
        <Footnote
          key={key}
          citation={mark.citation}
          isShown={isShown}
          onShow={() => actions.showSide('documents', at)}
        />
      ) : (
        <Figure key={key} check={mark} isShown={isShown} onShow={() => actions.showSide('row', at)} />
      );
    },
    [id, shown, actions],
  );
  return <Markdown text={text} checks={marks} drawFigure={drawMark} />;
}

interface FigureProps {
  check: NumberCheck;
  isShown: boolean;
  onShow(): void;
}

/** A figure of an answer. It opens the row and the query that it came from, or says that it was not found. Words that do not fit the query say why. */
function Figure({ check, isShown, onShow }: FigureProps) {
  const { found, text, reason } = check;
  const label = found ? STRINGS.figure.found(text) : STRINGS.figure.missing(text, reason);
  return (
    <button
      type="button"
      className={found ? 'figure' : 'figure missing'}
      aria-label={label}
      aria-pressed={isShown}
      title={found ? undefined : label}
      onClick={onShow}
    >
      {text}
    </button>
  );
}
