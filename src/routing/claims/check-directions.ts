import type { Json, JsonObject } from '../../schema/json.ts';
import { isInside, type Part } from '../check/answer-parts.ts';
import { columnOf, type ExecutedQuery, isLimited } from '../check/executed-query.ts';
import { type Claim, type ClaimText, executedIn, inside, measureWords, segmentOf } from './claim-text.ts';
import { type Directed, type End, findDirections, isDirectionWord } from './direction-words.ts';

/** Finds most for least, more for less, and up for down: the rows and the order of the query decide. */
export function checkDirections(claims: ClaimText): Claim[] {
  const words = findDirections(claims.text).filter(
    (word) => ![...claims.names, ...claims.mentions.filter(isOtherThing)].some((name) => isInside(word, name)),
  );
  return claims.sentences.flatMap((sentence) =>
    inside(words, sentence).flatMap((word) => {
      const [executed] = executedIn(claims, sentence);
      if (!executed) return [];
      const reason = checkWord({ claims, sentence, word, executed });
      return reason === undefined ? [] : [{ start: word.start, end: word.end, reason }];
    }),
  );
}

/** "Top rated" is a direction too; a value such as Tops is none. */
function isOtherThing(mention: ClaimText['mentions'][number]): boolean {
  return !isDirectionWord(mention) && mention.meanings.every(({ kind }) => kind === 'value' || kind === 'dimension');
}

function checkWord(directed: Directed): string | undefined {
  switch (directed.word.kind) {
    case 'superlative':
      return checkSuperlative(directed);
    case 'comparative':
      return checkComparative(directed);
    case 'change':
      return checkChange(directed);
    case 'limit':
      return checkLimit(directed);
  }
}

/** The end that the word claims, in figures: the best of a measure of which less is better is its lowest. */
function claimedEnd({ claims, word, executed }: Directed): End {
  const isLess = measureWords(claims, measureOf(executed))?.good === 'down';
  return word.isValue && isLess ? opposite(word.direction) : word.direction;
}

function opposite(end: End): End {
  return end === 'highest' ? 'lowest' : 'highest';
}

function measureOf({ query }: ExecutedQuery): string {
  return query.order?.by ?? query.measures[0]?.name ?? '';
}

function checkSuperlative(directed: Directed): string | undefined {
  const { word, executed } = directed;
  const end = claimedEnd(directed);
  const order = executed.query.order?.direction;
  if (isLimited(executed) && order !== end && executed.query.limit_within === null)
    return `the query ranks ${order} first`;
  if (word.isWeak) return undefined;
  const row = rowFor(directed);
  const column = columnFor(directed);
  const values = numbersOf(executed.rows, column);
  const value = row === undefined || column === undefined ? undefined : row[column];
  if (typeof value !== 'number' || values.length < 2) return undefined;
  const extreme = end === 'highest' ? Math.max(...values) : Math.min(...values);
  return value === extreme ? undefined : `another row has the ${end} ${measureOf(executed)}`;
}

function checkComparative(directed: Directed): string | undefined {
  const { claims, sentence, word, executed } = directed;
  const end = claimedEnd(directed);
  const column = columnFor(directed);
  if (column === undefined) return undefined;
  const before = placeBefore(directed);
  const isOfAll = /^\s+(?:any|all|every|the rest)\b/i.test(claims.text.slice(word.end, sentence.end));
  const values = numbersOf(executed.rows, column);
  const subject = before?.[column];
  if (isOfAll && typeof subject === 'number') {
    const extreme = end === 'highest' ? Math.max(...values) : Math.min(...values);
    return subject === extreme ? undefined : `another row has the ${end} ${measureOf(executed)}`;
  }
  const object = placeBehind(directed)?.[column];
  if (
    executed.query.compare ||
    typeof subject !== 'number' ||
    typeof object !== 'number' ||
    before === placeBehind(directed)
  )
    return executed.query.compare || executed.query.grain ? checkChange(directed) : undefined;
  return subject !== object && subject > object === (end === 'highest')
    ? undefined
    : `the rows do not show ${end === 'highest' ? 'more' : 'less'}`;
}

const ABOVE = ['more', 'at_least'];
const BELOW = ['less', 'at_most'];

/** "Above $200" must be the condition that the query has on 200. */
function checkLimit(directed: Directed): string | undefined {
  const { executed, word } = directed;
  const value = figureBehind(directed);
  const condition = [...executed.query.numbers, ...executed.query.having].find((one) => one.value === value);
  if (!condition) return undefined;
  const wrong = word.direction === 'highest' ? BELOW : ABOVE;
  return wrong.includes(condition.is)
    ? `the query counted ${condition.is.replace('_', ' ')} than ${condition.value}`
    : undefined;
}

function figureBehind({ claims, word }: Directed): number | undefined {
  const match = /^\s*[$€£]?(\d[\d,]*(?:\.\d+)?)/.exec(claims.text.slice(word.end));
  return match?.[1] === undefined ? undefined : Number(match[1].replaceAll(',', ''));
}

function numbersOf(rows: readonly JsonObject[], column: string | undefined): number[] {
  return rows
    .map((row) => (column === undefined ? null : row[column]))
    .filter((value: Json | undefined) => typeof value === 'number');
}

/** The column that a claim is about: of the measure in its sentence, of its figures, or of the order. */
function columnFor({ claims, sentence, executed }: Directed): string | undefined {
  const named = inside(claims.mentions, sentence)
    .flatMap(({ meanings }) => meanings.flatMap((meaning) => (meaning.kind === 'measure' ? [meaning.name] : [])))
    .find((name) => executed.query.measures.some((measure) => measure.name === name));
  return columnOf(named ?? measureOf(executed), executed);
}

/** Names and figures that point at a row, in order. */
function placesIn({ claims, executed }: Directed, part: Part): (Part & { row: JsonObject })[] {
  const named = inside(claims.names, part).flatMap(({ name, start, end }) => {
    const [row, ...others] = executed.rows.filter((one) => Object.values(one).includes(name));
    return row && others.length === 0 ? [{ start, end, row }] : [];
  });
  const figured = inside(claims.figures, part).flatMap(({ call_id: id, row, start, end }) => {
    const found = id === executed.callId && row !== undefined ? executed.rows[row] : undefined;
    return found ? [{ start, end, row: found }] : [];
  });
  return [...(named.length > 0 ? named : figured)].toSorted((a, b) => a.start - b.start);
}

/** The row that a superlative is about: the nearest name of its segment, else of its sentence. */
function rowFor(directed: Directed): JsonObject | undefined {
  const { sentence, word } = directed;
  const nearest = (part: Part) => {
    const places = placesIn(directed, part);
    return (places.findLast(({ end }) => end <= word.start) ?? places.find(({ start }) => start >= word.end))?.row;
  };
  return nearest(segmentOf(sentence, word)) ?? nearest(sentence);
}

function placeBefore(directed: Directed): JsonObject | undefined {
  return placesIn(directed, { start: directed.sentence.start, end: directed.word.start }).at(-1)?.row;
}

function placeBehind(directed: Directed): JsonObject | undefined {
  return placesIn(directed, { start: directed.word.end, end: directed.sentence.end })[0]?.row;
}

/** Up or down: between two periods of the query, or along its rows over time. Returns why the claim does not hold. */
function checkChange(directed: Directed): string | undefined {
  const { executed, word, claims } = directed;
  const measure = executed.query.measures[0]?.name ?? '';
  const change = executed.query.compare ? comparedChange(directed) : seriesChange(directed);
  if (change === undefined) return hasBasis(directed) ? undefined : 'the query compared no periods';
  const isLess = word.isValue && measureWords(claims, measure)?.good === 'down';
  const isUp = (word.direction === 'highest') !== isLess;
  if (change === 0 || change > 0 === isUp) return undefined;
  return `${measure} went ${change > 0 ? 'up' : 'down'}`;
}

/** A word such as "drop" beside no figure is no claim about the data. */
function hasBasis({ executed, claims, sentence, word }: Directed): boolean {
  if (word.kind !== 'change') return true;
  if (executed.query.compare || executed.query.grain) return true;
  return inside(claims.figures, sentence).length === 0;
}

/** The newer figure minus the older one. */
function comparedChange(directed: Directed): number | undefined {
  const { executed } = directed;
  const row = rowOf(directed);
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed) ?? '';
  const now = row?.[column];
  const before = row?.[`${column}_before`];
  if (typeof now !== 'number' || typeof before !== 'number') return undefined;
  return now - before;
}

function rowOf({ executed, claims, sentence }: Directed): JsonObject | undefined {
  const names = inside(claims.names, sentence).map(({ name }) => name);
  return executed.rows.find((row) => names.some((name) => Object.values(row).includes(name))) ?? executed.rows[0];
}

/** Along time: between the rows that the sentence names, or over all rows. */
function seriesChange(directed: Directed): number | undefined {
  const { executed } = directed;
  if (executed.query.grain === null) return undefined;
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed);
  if (column === undefined) return undefined;
  const named = rowsIn(directed, executed.rows);
  const rows = named.length > 1 ? named : executed.rows;
  const [first, last] = [rows[0], rows.at(-1)];
  const from = first?.[column];
  const to = last?.[column];
  return typeof from === 'number' && typeof to === 'number' && first !== last ? to - from : undefined;
}

/** The rows that names and figures of the sentence point at, in order of time. */
function rowsIn({ claims, sentence, executed }: Directed, rows: readonly JsonObject[]): JsonObject[] {
  const names = new Set(inside(claims.names, sentence).map(({ name }) => name));
  const places = new Set(
    inside(claims.figures, sentence).flatMap(({ call_id: id, row }) =>
      id === executed.callId && row !== undefined ? [executed.rows[row]] : [],
    ),
  );
  const time = Object.keys(rows[0] ?? {})[0] ?? '';
  return rows.filter((row) => places.has(row) || names.has(String(row[time])));
}
