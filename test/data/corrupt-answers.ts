import { createChance } from '../../scripts/retail-chance.ts';
import type { NamedSource } from '../../src/routing/check/attribution.ts';
import { checkAnswer } from '../../src/routing/check/check-answer.ts';
import type { ToolCall } from '../../src/schema/conversation/tool-call.ts';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import type { JsonObject } from '../../src/schema/json.ts';

/** A correct answer, and the same answer with one fault. */
export interface AnswerPair {
  kind: 'wrong number' | 'swapped source' | 'stitched quote';
  calls: ToolCall[];
  right: string;
  wrong: string;
  /** The position of the fault in the wrong answer. */
  start: number;
  end: number;
}

export interface CorruptionScore {
  count: number;
  caught: number;
  /** The number of figures and quotations in correct answers, and how many were marked. */
  checked: number;
  falseAlarms: number;
  misses: AnswerPair[];
}

const QUESTION = 'Which 4 products are left in carts, how is their stock, and what do people say?';
export const SOURCES: NamedSource[] = [
  { number: 1, domain: 'customer_behavior', source: 'customer_behavior.sales', displayName: 'Customer Behavior' },
  { number: 2, domain: 'inventory', source: 'inventory.stock', displayName: 'Inventory' },
  { number: 3, domain: 'customer_feedback', source: 'customer_feedback.reviews', displayName: 'Customer Feedback' },
];

const NAMES = [
  'Aspen Boots',
  'Bristol Tote Bag',
  'Cedar Leggings',
  'Dover Parka',
  'Elm Wrap Dress',
  'Fjord Sneakers',
  'Garda Belt',
  'Iris Blouse',
];
const SAYINGS = [
  'The stitching came loose after two weeks',
  'It fits true to size and feels soft',
  'Delivery took almost three weeks',
  'The color faded in the first wash',
  'I get compliments every time I wear it',
  'The box arrived crushed but nothing was broken',
  'Nobody answered my three emails about it',
  'Worth every cent of its price',
];

type Chance = ReturnType<typeof createChance>;

interface Facts {
  rows: { product: string; rate: number; carts: number; units: number; reorder: number; revenue: number }[];
  reviews: { product: string; rating: number; review: string }[];
  all: number;
}

export function makeAnswerPairs(count: number, seed: number): AnswerPair[] {
  const chance = createChance(seed);
  const kinds = ['wrong number', 'swapped source', 'stitched quote'] as const;
  return Array.from({ length: count }, (_, index) => makePair(chance, kinds[index % kinds.length] ?? 'wrong number'));
}

export function scoreCorruption(pairs: readonly AnswerPair[]): CorruptionScore {
  const check = (text: string, { calls }: AnswerPair) =>
    checkAnswer({ text, question: QUESTION, calls, sources: SOURCES });
  const isCaught = (pair: AnswerPair) => check(pair.wrong, pair).some((one) => !one.found && touches(one, pair));
  const rights = pairs.flatMap((pair) => check(pair.right, pair));
  const misses = pairs.filter((pair) => !isCaught(pair));
  return {
    count: pairs.length,
    caught: (pairs.length - misses.length) / pairs.length,
    checked: rights.length,
    falseAlarms: rights.filter(({ found }) => !found).length / rights.length,
    misses,
  };
}

function touches({ start, end }: NumberCheck, pair: AnswerPair): boolean {
  return start < pair.end && pair.start < end;
}

function makePair(chance: Chance, kind: AnswerPair['kind']): AnswerPair {
  const facts = makeFacts(chance);
  const calls = toCalls(facts);
  const right = chance.pick(STYLES)(facts, chance);
  const fault = { 'wrong number': changeNumber, 'swapped source': swapSource, 'stitched quote': stitchQuote }[kind];
  return { kind, calls, right, ...fault(right, facts, chance) };
}

function makeFacts(chance: Chance): Facts {
  const names = shuffle(NAMES, chance).slice(0, 4);
  const rows = names.map((product) => ({
    product,
    rate: chance.whole(101, 899) / 1000,
    carts: chance.whole(120, 980),
    units: chance.whole(13, 3_900),
    reorder: chance.whole(41, 990),
    revenue: chance.whole(10_000, 990_000) / 10,
  }));
  const sayings = shuffle(SAYINGS, chance);
  const reviews = names.map((product, index) => ({
    product,
    rating: chance.whole(11, 49) / 10,
    review: `${sayings[index]}.`,
  }));
  return { rows, reviews, all: chance.whole(2_000, 9_000) };
}

function shuffle<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, at: chance.number() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function toCalls({ rows, reviews, all }: Facts): ToolCall[] {
  const percent = { columns: [{ name: 'abandonment_rate', format: 'percent' }] };
  return [
    toCall('sales', 'customer_behavior', {
      ...percent,
      rows: rows.map(({ product, rate, carts }) => ({ product, abandonment_rate: rate, carts, all_carts: all })),
    }),
    toCall('stock', 'inventory', {
      rows: rows.map(({ product, units, reorder, revenue }) => ({
        product,
        units_on_hand: units,
        reorder_point: reorder,
        lost_revenue: revenue,
      })),
    }),
    toCall('reviews', 'customer_feedback', {
      rows: reviews.map(({ product, rating, review }) => ({ product, average_rating: rating, review })),
    }),
  ];
}

function toCall(id: string, domain: string, result: JsonObject): ToolCall {
  return { id, name: `query_space_${id}`, domain, arguments: { query: QUESTION }, state: 'completed', result };
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (rate: number) => `${(rate * 100).toFixed(1)}%`;

type Style = (facts: Facts, chance: Chance) => string;

/** Different styles in which models and people write the same facts. */
const STYLES: readonly Style[] = [
  ({ rows: [a, b, c], reviews: [r], all }) =>
    `According to Customer Behavior, ${a?.product} is abandoned most: ${percent(a?.rate ?? 0)} of its ${whole(a?.carts ?? 0)} carts, followed by ${b?.product} with ${percent(b?.rate ?? 0)}. There were ${whole(all)} carts in all.\n\nAccording to Inventory, ${c?.product} has ${whole(c?.units ?? 0)} units left and a reorder point of ${c?.reorder}.\n\nAccording to Customer Feedback, ${r?.product} is rated ${r?.rating}: “${r?.review}”`,
  ({ rows, reviews: [r] }) =>
    `**Customer Behavior**\n\n${rows.map((row, index) => `${index + 1}. ${row.product} - ${percent(row.rate)} abandonment (${row.carts} carts)`).join('\n')}\n\n**Inventory**\n\n${rows.map((row) => `- ${row.product}: ${whole(row.units)} units, reorder point ${row.reorder}`).join('\n')}\n\n**Customer Feedback**\n\nOf ${r?.product} people say "${r?.review}"`,
  ({ rows: [a, b], reviews: [r, s] }) =>
    `${a?.product} loses ${percent(a?.rate ?? 0)} of its carts [1]. Only ${whole(a?.units ?? 0)} units of ${a?.product} are left [2], and its reorder point is ${a?.reorder} [2]. ${b?.product} cost ${`$${whole(b?.revenue ?? 0)}`} in lost revenue [2]. ${r?.product} has ${r?.rating} stars [3], ${s?.product} has ${s?.rating} [3]: “${s?.review}” [3]`,
  ({ rows, reviews: [r] }) =>
    `Here is what customer_behavior.sales shows for the top 4 products:\n\n| Product | Abandonment rate | Carts |\n| --- | ---: | ---: |\n${rows.map((row) => `| ${row.product} | ${percent(row.rate)} | ${row.carts} |`).join('\n')}\n\nFrom Inventory: ${rows[0]?.product} has ${whole(rows[0]?.units ?? 0)} units on hand.\n\nFrom Customer Feedback: ${r?.product} is described as “${r?.review}”`,
];

type Fault = Pick<AnswerPair, 'wrong' | 'start' | 'end'>;

/** Puts another number in the same place: slightly off, with swapped digits, or from another row. */
function changeNumber(right: string, facts: Facts, chance: Chance): Fault {
  const figures = [
    ...right.matchAll(/(?<=[\s$(|])\d[\d,]*(?:\.\d+)?(?=%|\s(?:carts|units|\||stars|in lost)|\.\s|\s\[)/g),
  ].filter((match) => match[0].replace(/\D/g, '').length > 1);
  const match = chance.pick(figures);
  const others = facts.rows.flatMap((row) => [
    (row.rate * 100).toFixed(1),
    whole(row.carts),
    whole(row.units),
    String(row.reorder),
  ]);
  const isOfRow = (text: string) => {
    const line = right.slice(0, match.index);
    const product = NAMES.map((name) => ({ name, at: line.lastIndexOf(name) })).sort((a, b) => b.at - a.at)[0]?.name;
    const row = facts.rows.find((one) => one.product === product);
    return (
      row !== undefined &&
      [row.rate * 100, row.carts, row.units, row.reorder, Math.round(row.revenue), facts.all].some(
        (value) => Math.abs(value - Number(text.replaceAll(',', ''))) < 0.06,
      )
    );
  };
  const candidates = [shift(match[0], chance), swapDigits(match[0]), chance.pick(others)].filter(
    (text) => text !== match[0] && !isOfRow(text),
  );
  const text = candidates.length > 0 ? chance.pick(candidates) : shift(match[0], chance);
  return replaced(right, match.index, match[0], text);
}

function shift(text: string, chance: Chance): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  const value = Number(text.replaceAll(',', '')) + chance.whole(3, 9) * 10 ** -decimals;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function swapDigits(text: string): string {
  return text.replace(/(\d)(\d)(?!.*\d\d)/, '$2$1');
}

/** Attributes a figure to a source that does not hold it. */
function swapSource(right: string, _facts: Facts, chance: Chance): Fault {
  const labels = SOURCES.flatMap((source) => [
    `According to ${source.displayName}`,
    `From ${source.displayName}`,
    `**${source.displayName}**`,
    `[${source.number}]`,
    source.source,
  ]);
  const places = labels.flatMap((label) =>
    [...right.matchAll(new RegExp(label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'))].map((match) => ({
      label,
      at: match.index,
    })),
  );
  const { label, at } = chance.pick(places);
  const own = SOURCES.find(
    (source) => label.includes(source.displayName) || label === `[${source.number}]` || label === source.source,
  );
  const other = chance.pick(SOURCES.filter((source) => source !== own));
  const text = label
    .replace(own?.displayName ?? '', other.displayName)
    .replace(`[${own?.number}]`, `[${other.number}]`)
    .replace(own?.source ?? '', other.source);
  const fault = replaced(right, at, label, text);
  return { ...fault, start: 0, end: fault.wrong.length };
}

/** Joins the beginning of a review with the end of another one, as a single quotation. */
function stitchQuote(right: string, { reviews }: Facts, chance: Chance): Fault {
  const match = chance.pick([...right.matchAll(/[“"]([^”"]+)[”"]/g)]);
  const quote = String(match[1]);
  const other = chance.pick(reviews.filter(({ review }) => review !== quote)).review.split(' ');
  const words = quote.split(' ');
  const text = [...words.slice(0, Math.ceil(words.length / 2)), ...other.slice(Math.floor(other.length / 2))].join(' ');
  return replaced(right, match.index + 1, quote, text);
}

function replaced(right: string, at: number, old: string, text: string): Fault {
  return { wrong: right.slice(0, at) + text + right.slice(at + old.length), start: at, end: at + text.length };
}
