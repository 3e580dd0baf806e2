import type { createChance } from '../../scripts/retail-chance.ts';
import type { Answer, Desk } from './ask-retail.ts';
import { canonical } from './canonical.ts';
import { findDifference } from './compare-rows.ts';
import { compute } from './compute.ts';
import { type FramedQuestion, fillFrame, readFrames } from './frames.ts';
import { Unsupported } from './joins.ts';
import type { Model } from './shop.ts';

type Chance = ReturnType<typeof createChance>;

export interface RoundTrip {
  asked: FramedQuestion;
  answer: Answer;
  outcome: 'same, high' | 'same' | 'declined' | 'other, flagged' | 'other, high';
  /** Why an executed answer differs from the plain computation. */
  difference?: string;
  isComputed: boolean;
}

/** Random queries in English. Each pattern is used about equally often. */
export function* makeQuestions(shop: readonly Model[], chance: Chance, count: number): Generator<FramedQuestion> {
  const frames = readFrames();
  const seen = new Set<string>();
  for (let made = 0, tries = 0; made < count && tries < count * 20; tries++) {
    const frame = frames[tries % frames.length];
    const question = frame && fillFrame(frame, chance.pick(shop), chance);
    if (!question || seen.has(question.text)) continue;
    seen.add(question.text);
    made++;
    yield question;
  }
}

export async function askBack(desk: Desk, shop: readonly Model[], asked: FramedQuestion): Promise<RoundTrip> {
  const answer = await desk.ask(asked.text);
  return { asked, answer, outcome: compareQueries(asked, answer, shop), ...checkFigures(answer, shop) };
}

export function compareQueries(
  { model, query }: Pick<FramedQuestion, 'model' | 'query'>,
  { calls, confidence }: Answer,
  shop: readonly Model[],
): RoundTrip['outcome'] {
  const executed = calls.filter(({ table }) => table.rows.length > 0 || confidence === 'high');
  if (executed.length === 0) return 'declined';
  const expected = canonical(model, query);
  const isSame = executed.some((call) => {
    const own = shop.find(({ space }) => space === call.space);
    return call.query && own && meaning(own, call.query) === expected;
  });
  const isHigh = confidence === 'high';
  if (isSame) return isHigh ? 'same, high' : 'same';
  return isHigh ? 'other, high' : 'other, flagged';
}

function meaning(model: Model, query: FramedQuestion['query']): string | undefined {
  try {
    return canonical(model, query);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Compares each executed answer with the computation of its query over the CSV rows. */
export function checkFigures({ calls }: Answer, shop: readonly Model[]): Pick<RoundTrip, 'difference' | 'isComputed'> {
  const checked = calls.flatMap(({ space, query, table }) => {
    const model = shop.find((one) => one.space === space);
    return query && model ? [differenceOf(model, query, table)] : [];
  });
  const difference = checked.find((one) => one !== undefined);
  return { isComputed: checked.length > 0, ...(difference !== undefined && { difference }) };
}

function differenceOf(model: Model, query: FramedQuestion['query'], table: Answer['calls'][number]['table']) {
  try {
    return findDifference(compute(model, query), table, query);
  } catch (error) {
    if (error instanceof Unsupported) return `not computable here: ${error.message}`;
    throw error;
  }
}
