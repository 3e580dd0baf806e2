import type { AnswerCheck, Citation, NumberCheck } from '../../schema/conversation/turn.ts';

export function isFigure(check: AnswerCheck): check is NumberCheck {
  return check.kind !== 'citation';
}

/** `<knowledge>.<path>`, as in the sources of an answer. */
export function sourceOf({ knowledge, document }: Pick<Citation, 'knowledge' | 'document'>): string {
  return `${knowledge}.${document}`;
}
