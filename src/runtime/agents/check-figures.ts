import { isDeepStrictEqual } from 'node:util';
import { findAmounts, isSameAmount } from '../../knowledge/cite/quantities.ts';
import { splitCited } from '../../knowledge/cite/sentences.ts';
import type { Model } from '../../models/model.ts';
import { isObject, type Json, parseJson } from '../../schema/json.ts';
import { ANSWER, verdictOf } from '../../team/verdict.ts';

const CUT = /\[(?:\d+ of \d+ characters|The rest is) left out/;
const CANNOT_READ = { keep: true, note: 'The results are too long to be compared.' };

/**
 * Wraps a model that cannot judge an answer. As a member of `then` it compares figures: a sentence with a figure that
 * neither the message nor a result has is left out.
 */
export function checkFigures(model: Model): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      if (!isDeepStrictEqual(request.responseFormat, verdictOf())) return yield* model.stream(request, options);
      const text = request.messages.at(-1)?.content ?? '';
      // In what was cut, a figure may be in the part that is missing.
      yield { type: 'text', text: JSON.stringify(CUT.test(text) ? CANNOT_READ : judge(text)) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function judge(text: string) {
  const entries = text.split('\n').flatMap((line) => (line.startsWith('{') ? (parseJson(line) ?? []) : []));
  const material = new Map(
    entries.flatMap((one) => (isObject(one) ? [[String(one.description), String(one.value)]] : [])),
  );
  const answer = material.get(ANSWER) ?? '';
  material.delete(ANSWER);
  const known = [...material.values()].flatMap((value) => findAmounts(wordsOf(parseJson(value) ?? value).join('\n')));
  const wrong = splitCited(answer).filter((sentence) => {
    const figures = findAmounts(sentence.text.replace(/\[p?\d+\]/g, '')).filter((figure) => /\d/.test(figure.text));
    return !figures.every((figure) => known.some((other) => isSameAmount(figure, other)));
  });
  if (wrong.length === 0) return { keep: true };
  const rest = wrong.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), answer).trim();
  // The draft is not quoted: people read this note.
  const note = `${wrong.length === 1 ? 'A sentence has a figure' : `${wrong.length} sentences have figures`} that no result has.`;
  return { keep: false, note, ...(rest !== '' && { answer: rest.replace(/ {2,}/g, ' ') }) };
}

/** The words of a result, with the lengths of its lists: an answer may count what a tool returned. */
function wordsOf(value: Json): string[] {
  if (Array.isArray(value)) return [String(value.length), ...value.flatMap(wordsOf)];
  return isObject(value) ? Object.values(value).flatMap(wordsOf) : [String(value)];
}
