import { useCallback } from 'react';
import type { NumberCheck } from '../../../src/schema/conversation/turn.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useActions, usePage } from '../../state/context.ts';
import { Figure } from './figure.tsx';

interface AnswerProps {
  /** Id of the message, which is part of the address of each figure. */
  id: string;
  text: string;
  checks: readonly NumberCheck[];
}

export function Answer({ id, text, checks }: AnswerProps) {
  const actions = useActions();
  const shown = usePage(({ place }) => (place.side === 'row' && place.at?.startsWith(`${id}.`) ? place.at : undefined));
  const drawFigure = useCallback(
    (check: NumberCheck, key: string) => {
      const at = `${id}.${check.start}`;
      return <Figure key={key} check={check} isShown={shown === at} onShow={() => actions.showSide('row', at)} />;
    },
    [id, shown, actions],
  );
  return <Markdown text={text} checks={checks} drawFigure={drawFigure} />;
}
