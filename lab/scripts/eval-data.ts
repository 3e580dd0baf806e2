/**
 * Measures answers over data: questions, sentence patterns and changes by another author, against truth by SQL and
 * against a plain computation over the CSV rows. Nothing of the parser or the compiler is used here; the agent is asked
 * as a user would. Ends with 1 if any answer was wrong with high confidence.
 * Run: npm run eval -- data [--only outside|manager|round-trip|mutations|corrupted] [--count 5000] [--seed 1] [--show]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createChance } from '../../scripts/retail-chance.ts';
import { type Desk, openDesk } from '../../test/data/ask-retail.ts';
import { makeAnswerPairs, scoreCorruption } from '../../test/data/corrupt-answers.ts';
import type { FramedQuestion } from '../../test/data/frames.ts';
import { MUTATIONS, type Mutated, mutate } from '../../test/data/mutated-questions.ts';
import { checkProse, type ProseScore, scoreProse } from '../../test/data/prose.ts';
import { askBack, checkFigures, compareQueries, makeQuestions, type RoundTrip } from '../../test/data/round-trip.ts';
import { type Model, readShop } from '../../test/data/shop.ts';
import { isOrdinary, type Judged, judgeAll, OUTSIDE_SETS, readConversations, readQuestions } from './data/outside.ts';
import { findData, hasData } from './find-data.ts';

/** A line of the table: what was measured, beside its goal. */
interface Row {
  name: string;
  value: string;
  goal?: string;
  isKept?: boolean;
  /** A missed goal of this kind makes the whole run fail. */
  isSafety?: boolean;
}

type Show = (text: string) => void;

interface Sample {
  count: number;
  seed: number;
  show: Show;
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
const of = (part: number, whole: number) => `${part} of ${whole} ${percent(part, whole)}`;

function atLeast(name: string, part: number, whole: number, goal?: number): Row {
  if (goal === undefined) return { name, value: of(part, whole) };
  return { name, value: of(part, whole), goal: `≥ ${goal} %`, isKept: part >= (whole * goal) / 100 };
}

function atMost(name: string, part: number, whole: number, goal?: number, isSafety = false): Row {
  if (goal === undefined) return { name, value: of(part, whole) };
  return { name, value: of(part, whole), goal: `≤ ${goal} %`, isKept: part <= (whole * goal) / 100, isSafety };
}

/** Goals in percent. A share without a goal is printed alone. */
interface Goals {
  right: number;
  high?: number;
  wrong?: number;
  declined?: number;
}

const TRAPS: Goals = { right: 60, high: 50, wrong: 5 };
const ORDINARY_QUESTIONS: Goals = { right: 70, wrong: 8, declined: 20 };
const ORDINARY_TURNS: Goals = { right: 60 };

async function measureOutside(desk: Desk, show: Show): Promise<Row[]> {
  const rows: Row[] = [];
  for (const set of OUTSIDE_SETS) {
    const single = await judgeAll(
      desk,
      readQuestions(set).map((question) => [question]),
    );
    const turns = await judgeAll(desk, readConversations(set));
    for (const one of [...single, ...turns]) show(describe(one));
    const day = set.replace('2026-', '');
    const [ofQuestions, ofTurns] = isOrdinary(set) ? [ORDINARY_QUESTIONS, ORDINARY_TURNS] : [TRAPS, TRAPS];
    rows.push(...rowsOf(`${day} questions`, single, ofQuestions));
    if (turns.length > 0) rows.push(...rowsOf(`${day} conversations`, turns, ofTurns));
  }
  return rows;
}

/** The examples of the first specification. */
const EXAMPLES = /^(?:What products are frequently|Why are customers not buying|What are the top 10 products by cart)/;

/** A shop manager's messages, which are next to the repository. A blank line begins a new conversation. */
async function measureManager(desk: Desk, show: Show): Promise<Row[]> {
  if (!hasData('outside/manager.txt')) return [];
  const blocks = readFileSync(findData('outside/manager.txt'), 'utf8').split(/\n\s*\n/);
  const declined: string[] = [];
  let all = 0;
  for (const block of blocks) {
    const conversation = {};
    for (const message of block.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
      all++;
      const { calls } = await desk.ask(message, conversation);
      if (calls.length === 0) declined.push(message);
    }
  }
  for (const message of declined) show(`  [declined] ${message}`);
  const most = { goal: '≤ 8', isKept: declined.length <= 8, isSafety: true };
  const examples = declined.filter((message) => EXAMPLES.test(message)).length;
  return [
    { name: 'manager: declined', value: of(declined.length, all), ...most },
    { ...atMost('manager: examples of the specification declined', examples, 3, 0, true), goal: '0' },
  ];
}

function describe({ question, answer, verdict, isRouted }: Judged): string {
  const first = answer.content.split('\n')[0]?.slice(0, 160);
  return `  [${verdict}${isRouted ? '' : `; routed ${answer.domains.join('+') || 'nowhere'}`}] ${question.ask}\n      ${first}`;
}

function rowsOf(set: string, judged: readonly Judged[], goals: Goals): Row[] {
  const count = (...verdicts: string[]) => judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const answerable = judged.filter(({ question }) => question.kind === 'answer');
  const right = answerable.filter(({ verdict }) => verdict.startsWith('right'));
  const high = right.filter(({ verdict }) => verdict === 'right, high');
  const declinable = judged.filter(({ question }) => question.kind !== 'answer');
  return [
    { ...atMost(`${set}: wrong with confidence high`, count('wrong, high'), judged.length, 0, true), goal: '0' },
    atLeast(`${set}: right, of those that the data answers`, right.length, answerable.length, goals.right),
    atLeast(`${set}: of the right answers, with high`, high.length, right.length, goals.high),
    atMost(`${set}: wrong but flagged`, count('wrong, flagged'), judged.length, goals.wrong),
    atMost(`${set}: declined or asked although answerable`, count('declined'), answerable.length, goals.declined),
    {
      name: `${set}: right to decline or to ask`,
      value: of(declinable.filter(({ verdict }) => verdict.startsWith('right')).length, declinable.length),
    },
    atLeast(
      `${set}: routed to the exact set of domains`,
      judged.filter((one) => one.isRouted).length,
      judged.length,
      85,
    ),
  ];
}

async function measureRoundTrip(desk: Desk, shop: readonly Model[], sample: Sample): Promise<Row[]> {
  const trips: RoundTrip[] = [];
  for (const question of makeQuestions(shop, createChance(sample.seed), sample.count)) {
    const trip = await askBack(desk, shop, question);
    trips.push(trip);
    if (!trip.outcome.startsWith('same') || trip.difference !== undefined) sample.show(describeTrip(trip));
  }
  const count = (...outcomes: string[]) => trips.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const computed = trips.filter(({ isComputed }) => isComputed);
  const equal = computed.filter(({ difference }) => difference === undefined);
  const all = trips.length;
  return [
    atLeast('read back as the same query', count('same', 'same, high'), all, 95),
    { name: '  of these with confidence high', value: of(count('same, high'), count('same', 'same, high')) },
    atMost('read as another query with confidence high', count('other, high'), all, 0.1, true),
    { name: 'read as another query, flagged', value: of(count('other, flagged'), all) },
    { name: 'declined or asked', value: of(count('declined'), all) },
    {
      ...atLeast('executed answers equal to the plain computation', equal.length, computed.length, 100),
      isSafety: true,
    },
  ];
}

function describeTrip({ asked, answer, outcome, difference }: RoundTrip): string {
  const read = answer.calls.map(({ space, query }) => `${space} ${JSON.stringify(query ?? null)}`).join(' | ');
  const lines = [`  [${outcome}] ${asked.frame.kind}: ${asked.text}`, `      meant ${JSON.stringify(asked.query)}`];
  if (read !== '') lines.push(`      read  ${read}`);
  else lines.push(`      said  ${answer.content.split('\n')[0]?.slice(0, 200)}`);
  if (difference !== undefined) lines.push(`      figures: ${difference}`);
  return lines.join('\n');
}

/** Changes questions that were answered rightly. The changed question must not get the same answer in silence. */
async function measureMutations(desk: Desk, shop: readonly Model[], sample: Sample): Promise<Row[]> {
  const chance = createChance(sample.seed + 1);
  const tried: Tried[] = [];
  for (const question of makeQuestions(shop, createChance(sample.seed + 2), sample.count * 10)) {
    if (tried.length >= sample.count) break;
    const answer = await desk.ask(question.text);
    if (answer.confidence === 'low' || !compareQueries(question, answer, shop).startsWith('same')) continue;
    for (const mutation of MUTATIONS) {
      const mutated = mutate(question, mutation, chance);
      if (mutated) tried.push(await tryMutated(desk, shop, question, mutated, sample.show));
    }
  }
  const unknown = tried.filter(({ mutated }) => mutated.unknown.length > 0);
  return [
    { ...atMost('answered with high for another question', count(tried, 'isOther'), tried.length, 0, true), goal: '0' },
    {
      ...atMost('given the same answer, and the change is not named', count(tried, 'isSilent'), tried.length, 0, true),
      goal: '0',
    },
    atLeast('unknown conditions: named as not understood', count(unknown, 'isNamed'), unknown.length, 100),
    ...MUTATIONS.map((mutation) => {
      const own = tried.filter(({ mutated }) => mutated.mutation === mutation);
      return { name: `  ${mutation}: the same answer in silence`, value: of(count(own, 'isSilent'), own.length) };
    }),
  ];
}

interface Tried {
  mutated: Mutated;
  isOther: boolean;
  isNamed: boolean;
  isSilent: boolean;
}

function count<K extends string>(list: readonly Record<K, boolean>[], key: K): number {
  return list.filter((one) => one[key]).length;
}

async function tryMutated(
  desk: Desk,
  shop: readonly Model[],
  original: FramedQuestion,
  mutated: Mutated,
  show: Show,
): Promise<Tried> {
  const { model } = original;
  const answer = await desk.ask(mutated.text);
  const isHigh = answer.confidence === 'high';
  const { query } = mutated;
  const isOther = query ? compareQueries({ model, query }, answer, shop) === 'other, high' : isHigh;
  const said = answer.left.toLowerCase();
  const isNamed = mutated.unknown.some((word) => said.includes(word.toLowerCase()));
  const isSame = compareQueries(original, answer, shop).startsWith('same');
  const isSilent = isSame && !isNamed;
  const isMissed = mutated.unknown.length > 0 && !isNamed;
  const wrongFigures = checkFigures(answer, shop).difference;
  if (isOther || isSilent || isMissed || wrongFigures !== undefined)
    show(
      `  [${mutated.mutation}${isOther ? ', HIGH' : ''}${isSilent ? ', SILENT' : ''}${isMissed ? ', not named' : ''}] ${mutated.text}\n      ${answer.content.split('\n')[0]?.slice(0, 200)}`,
    );
  return { mutated, isOther, isNamed, isSilent };
}

const CORRUPTED = 600;

const WRONG: Record<ProseScore['kind'], string> = {
  right: 'false alarms in right answers',
  measure: 'caught: another measure',
  direction: 'caught: the opposite direction',
  filter: 'caught: another value or condition',
  whole: 'caught: a part for the whole',
  period: 'caught: another period',
};

/** Changes the answers instead: each must be caught by the checks that are shown beside it. */
async function measureCorrupted(seed: number, show: Show): Promise<Row[]> {
  const { count: pairs, caught, checked, falseAlarms } = scoreCorruption(makeAnswerPairs(CORRUPTED, seed));
  const rows: Row[] = [
    atLeast('figures, sources, quotations: caught', Math.round(caught * pairs), pairs, 100),
    atMost('figures, sources, quotations: false alarms', Math.round(falseAlarms * checked), checked, 2),
  ];
  for (const file of ['prose.txt', 'prose-heldout.txt'] as const) {
    for (const { kind, count: all, marked, failures } of scoreProse(await checkProse(file))) {
      for (const failure of failures) show(`  [${kind}] ${failure}`);
      const name = `${file}: ${WRONG[kind]}`;
      rows.push(kind === 'right' ? atMost(name, marked, all, 2) : atLeast(name, marked, all, 100));
    }
  }
  return rows;
}

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string', default: '5000' },
    mutations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '20261116' },
    show: { type: 'boolean', default: false },
  },
});

const seed = Number(flags.seed);
const PARTS: Record<string, (desk: Desk) => Promise<Row[]>> = {
  outside: (desk) => measureOutside(desk, show),
  manager: (desk) => measureManager(desk, show),
  'round-trip': (desk) => measureRoundTrip(desk, readShop(), { count: Number(flags.count), seed, show }),
  mutations: (desk) => measureMutations(desk, readShop(), { count: Number(flags.mutations), seed, show }),
  corrupted: () => measureCorrupted(seed, show),
};

function show(text: string): void {
  if (flags.show) console.log(text);
}

const desk = await openDesk();
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (flags.only !== undefined && flags.only !== name) continue;
    console.log(`\n${name}`);
    for (const row of await measure(desk)) print(row);
  }
} finally {
  await desk.close();
}

function print({ name, value, goal, isKept, isSafety = false }: Row): void {
  if (isSafety && !isKept) process.exitCode = 1;
  const verdict = goal === undefined ? '' : isKept ? 'kept' : isSafety ? 'BROKEN' : 'missed';
  console.log(`  ${name.padEnd(58)} ${value.padStart(18)}   ${(goal ?? '').padEnd(10)} ${verdict}`);
}
