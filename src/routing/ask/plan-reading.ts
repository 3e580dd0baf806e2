import type { Outcome } from '../../builtin/conversation.ts';
import type { PlannedCall, PlanReply } from '../../builtin/plan.ts';
import type { DataQuery, DataReading, ReadingPart } from '../../schema/data-query.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { DomainOutcome } from '../answer/synthesize.ts';
import { shownNames } from '../composer.ts';
import type { Registry } from '../decide/registry.ts';

export type Asked = Generator<PlannedCall[], DomainOutcome[], Outcome[]>;

/**
 * Runs the queries of a reading. Independent ones run at once. Where one of them ranks, the others are asked for the
 * names that it found, so that all figures are about the same things.
 */
export function* askReading({ parts, reasons }: DataReading, registry: Registry): Asked {
  const ranked = parts.find(({ query }) => query.order !== null);
  const first = parts.length > 1 && ranked ? parts.filter(({ query }) => query.order !== null) : parts;
  const found = yield first.map((part) => toCall(part, reasons));
  const outcomes = first.flatMap((part, index) => toOutcome(part, found[index], registry));
  const rest = parts.filter((part) => !first.includes(part));
  const [top] = found;
  if (rest.length === 0 || !ranked) return outcomes;
  const names = top && 'result' in top ? shownNames(top.result, ranked.query) : [];
  const dimension = ranked.query.dimensions[0];
  const narrowed = rest.map((part) =>
    dimension === undefined || names.length === 0 ? part : narrow(part, dimension, names),
  );
  const others = yield narrowed.map((part) => toCall(part, reasons));
  return [...outcomes, ...narrowed.flatMap((part, index) => toOutcome(part, others[index], registry))];
}

function narrow(part: ReadingPart, dimension: string, values: string[]): ReadingPart {
  return { ...part, query: { ...part.query, filters: [...part.query.filters, { dimension, values, negated: false }] } };
}

function toCall({ tool, query }: ReadingPart, assumptions: readonly string[]): PlannedCall {
  const args: JsonObject = JSON.parse(JSON.stringify({ ...complete(query), not_expressible: [], assumptions }));
  return { name: tool, arguments: args };
}

/** The query with every field that the tool's schema requires. */
export function complete({ measures, order, without, ...rest }: DataQuery): DataQuery {
  return {
    ...rest,
    measures: measures.map((measure) => ({ ...measure, distinct: measure.distinct ?? null })),
    order: order && { ...order, of: order.of ?? null },
    without: without && { ...without, filters: without.filters ?? [], named: without.named ?? [] },
  };
}

function toOutcome({ tool }: ReadingPart, outcome: Outcome | undefined, registry: Registry): DomainOutcome[] {
  const domain = registry.ofTool(tool);
  return domain ? [{ domain, ...(outcome && { outcome }) }] : [];
}

/** A question that is not answered: the readings to choose from, or the words that were not understood. */
export function declineReading(
  { kind, choices, not_understood: words, reasons }: DataReading,
  examples: readonly string[],
): PlanReply {
  const ask =
    examples.length > 0 ? `\n\nYou can ask, for example:\n${examples.map((text) => `- ${text}`).join('\n')}` : '';
  if (kind === 'ask') {
    const question = choices.length > 1 ? 'Which one do you mean?' : 'Do you mean this?';
    return say(`${question}\n${choices.map((choice) => `- ${choice}`).join('\n')}`);
  }
  if (words.length > 0) {
    const list = words.map((word) => `"${word}"`).join(', ');
    const them = words.length > 1 ? 'them' : 'it';
    const near = choices.length > 0 ? `\n\nThe nearest in this data: ${choices.join(', ')}.` : '';
    return say(`I do not know ${list} in this data, and without ${them} I would answer another question.${near}${ask}`);
  }
  return say(`I cannot compute this from the data${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}.${ask}`);
}

export function say(text: string): PlanReply {
  return { text, intents: [] };
}
