import { DataQuery } from '../../schema/data-query.ts';
import type { SpaceView } from '../model/merge-models.ts';
import type { ReadPart } from './choose.ts';
import { formOf, matchForm } from './gate-form.ts';
import { createNames } from './gate-names.ts';
import { plainWords } from './gate-words.ts';

/** Confirms a reading by a second, strict look at the question. */
export type Gate = (text: string, parts: readonly ReadPart[]) => boolean;

/** A group of more things is no answer that anybody checks. */
const MANY = 200;

/**
 * High confidence needs agreement. The verified questions of the model are forms: a question in the same words, with
 * other full names, values, numbers or another period in their places, has the same meaning. The gate skips no word and
 * shares no code with the reader: its query must be the query that was read.
 */
export function createGate(view: SpaceView): Gate {
  const names = createNames(view);
  const context = { names, today: view.facts.today };
  const forms = view.model.verified.map(({ ask, query }) => ({
    own: plainWords(ask).join(' '),
    form: formOf(ask, query),
    query,
  }));
  return (text, parts) => {
    const [only, ...others] = parts;
    if (!only || others.length > 0 || !isInside(only.query, view)) return false;
    const isLong = only.query.dimensions.some((name) => (view.facts.values.get(name)?.length ?? 0) > MANY);
    if (isLong && only.query.limit === null) return false;
    const words = plainWords(text);
    const wanted = plainText(only.query);
    const isOwn = forms.some(({ own, query }) => own === words.join(' ') && plainText(query) === wanted);
    if (isOwn) return true;
    return forms.some(({ form, query }) =>
      matchForm(words, form, structuredClone(query), { ...context, text }).some((one) => plainText(one) === wanted),
    );
  };
}

/** A period that begins before the data, or goes on after it, is not what was asked for. */
function isInside({ period, measures }: DataQuery, { model, facts }: SpaceView): boolean {
  const range = facts.ranges.get(model.measures.get(measures[0]?.name ?? '')?.table ?? '');
  return !period || !range || (period.from >= range.from && period.to <= range.to);
}

/** A query as text: without the words of its periods, lists in one order. Without a limit the order changes no figure. */
function plainText(query: DataQuery): string {
  const order = query.limit === null ? null : query.order && { by: query.order.by, direction: query.order.direction };
  const measures = query.measures.map((measure) => ({ ...measure, distinct: measure.distinct ?? null }));
  return JSON.stringify({ ...DataQuery.parse({ ...query, measures }), order }, (key, value) => {
    if (key === 'words') return undefined;
    return Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value;
  });
}
