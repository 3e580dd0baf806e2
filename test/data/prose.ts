import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/clock.ts';
import { loadWordVectors } from '../../src/language/word-vectors.ts';
import { checkAnswer } from '../../src/routing/check/check-answer.ts';
import type { ClaimChecker } from '../../src/routing/check/claim-checker.ts';
import { createClaimChecker } from '../../src/routing/claims/check-claims.ts';
import { type ColumnFormat, formatCell } from '../../src/schema/column-format.ts';
import type { ToolCall } from '../../src/schema/conversation/tool-call.ts';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { isObject, type JsonObject } from '../../src/schema/json.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { openSpace } from '../../src/space/space-source.ts';
import { vocabularyOf } from '../../src/space/space-vocabulary.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

const FOLDER = new URL('../fixtures/routing/', import.meta.url);
/** The second file was written after the checks. */
export type ProseFile = 'prose.txt' | 'prose-heldout.txt';
const RETAIL = fileURLToPath(new URL('../../agents/retail/', import.meta.url));

/** An answer of the file over a real result, and the same answer with one place changed. */
export interface ProseAnswer {
  kind: 'right' | 'measure' | 'direction' | 'filter' | 'whole' | 'period';
  style: string;
  question: string;
  text: string;
  checks: NumberCheck[];
}

/** Runs every query of a file on the retail data, fills the answers in, and checks all of them. */
export async function checkProse(file: ProseFile): Promise<ProseAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-prose-'));
  const spaces = await openSpaces(folder);
  try {
    const views = await Promise.all(spaces.map(({ views: own }) => own.view()));
    const claims = createClaimChecker(vocabularyOf(views));
    const answers: ProseAnswer[] = [];
    for (const block of readProse(readFileSync(new URL(file, FOLDER), 'utf8'))) {
      const call = await run(block, spaces);
      answers.push(...block.answers.flatMap((answer) => variantsOf(block, answer, call, claims)));
    }
    return answers;
  } finally {
    for (const { close } of spaces) close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface ProseScore {
  kind: ProseAnswer['kind'];
  count: number;
  /** Answers in which something was marked: the wrong ones should be, the right ones should not. */
  marked: number;
  failures: string[];
}

/** Counts the marked answers for each kind of change, and for the right answers. */
export function scoreProse(answers: readonly ProseAnswer[]): ProseScore[] {
  const kinds = Map.groupBy(answers, ({ kind }) => kind);
  return [...kinds].map(([kind, own]) => {
    const isMarked = ({ checks }: ProseAnswer) => checks.some(({ found }) => !found);
    const failures = own.filter((answer) => isMarked(answer) === (kind === 'right'));
    return { kind, count: own.length, marked: own.filter(isMarked).length, failures: failures.map(describe) };
  });
}

function describe({ text, checks }: ProseAnswer): string {
  const marks = checks
    .filter(({ found }) => !found)
    .map(({ text: words, reason }) => `${words}: ${reason ?? 'not found'}`);
  return [text, ...marks].join(' ← ');
}

type OpenedSpace = ReturnType<typeof openSpace> & { name: string };

async function openSpaces(folder: string): Promise<OpenedSpace[]> {
  const vectors = loadWordVectors();
  return Promise.all(
    ['sales', 'stock', 'reviews'].map(async (name) => {
      const space = await loadSpace(join(RETAIL, 'spaces', `${name}.yaml`), { root: RETAIL });
      const options = { name, space, folder, clock: systemClock, vectors: () => vectors };
      return { name, ...openSpace(options) };
    }),
  );
}

const CONTEXT = { user: { id: 'prose' }, signal: new AbortController().signal } as unknown as ToolContext; // all that a space reads

async function run({ space, query }: ProseBlock, spaces: readonly OpenedSpace[]): Promise<ToolCall> {
  const tools = spaces.find(({ name }) => name === space)?.tools ?? [];
  const tool = tools.find(({ name }) => name === `run_query_${space}`);
  if (!tool) throw new Error(`There is no space ${space}.`);
  const outcome = await tool.run(query, CONTEXT);
  if ('error' in outcome) throw new Error(`${JSON.stringify(query)}: ${outcome.error.message}`);
  return { id: 'call', name: tool.name, domain: space, arguments: query, state: 'completed', result: outcome.result };
}

function variantsOf(
  { question, names }: ProseBlock,
  { style, text }: ProseBlock['answers'][number],
  call: ToolCall,
  claims: ClaimChecker,
): ProseAnswer[] {
  const written = fillSlots(text, { names, table: tableOf(call) });
  const places = [...written.matchAll(PLACE)];
  const check = (answer: string) => checkAnswer({ text: answer, question, calls: [call], sources: [], claims });
  const right = written.replace(PLACE, (_, _kind, good: string) => good);
  const wrong = places.map((place) => ({ kind: place[1] as ProseAnswer['kind'], text: spoil(written, place) })); // of the file
  return [{ kind: 'right' as const, text: right }, ...wrong].map((one) => ({
    ...one,
    style,
    question,
    checks: check(one.text),
  }));
}

const PLACE = /<(\w+)\|([^|>]*)\|([^>]*)>/g;

/** The text with the wrong words at one place and the right ones at all others. */
function spoil(written: string, place: RegExpExecArray): string {
  const fill = (text: string) => text.replace(PLACE, (_, _kind, good: string) => good);
  const end = place.index + place[0].length;
  return `${fill(written.slice(0, place.index))}${place[3] ?? ''}${fill(written.slice(end))}`;
}

interface ProseTable {
  names: string[];
  rows: string[][];
  /** The first column with figures. */
  values: number[];
  before: number[];
}

function tableOf({ result }: ToolCall): ProseTable {
  const data = isObject(result) ? result : {};
  const rows = (Array.isArray(data.rows) ? data.rows : []).filter(isObject);
  const columns = (Array.isArray(data.columns) ? data.columns : []).filter(isObject);
  const formats = new Map(columns.map(({ name, format }) => [String(name), format as ColumnFormat | undefined]));
  const figures = columns.map(({ name }) => String(name)).filter((name) => typeof rows[0]?.[name] === 'number');
  const numbers = (name: string | undefined) => rows.map((row: JsonObject) => Number(row[name ?? ''] ?? 0));
  return {
    names: rows.map((row) => String(Object.values(row)[0])),
    rows: rows.map((row) => figures.map((name) => formatCell(row[name], formats.get(name)))),
    values: numbers(figures[0]),
    before: numbers(figures[1]),
  };
}

/** A query of the file with values filled in, its question, and the answers over it. */
interface ProseBlock {
  space: string;
  query: JsonObject;
  question: string;
  answers: { style: string; text: string }[];
  /** Slot → text, for values and months. */
  names: Readonly<Record<string, string>>;
}

interface Table {
  names: string[];
  rows: string[][];
  values: number[];
  before: number[];
}

/** Reads the file; a block with varied values becomes one block for each of them. */
function readProse(file: string): ProseBlock[] {
  const blocks = file.split(/\n\n+/).filter((block) => /^query /m.test(block));
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const of = (key: string) =>
      lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
    const [query = ''] = of('query');
    const [ask = ''] = of('ask');
    const space = query.split(' ')[0] ?? '';
    const texts = lines.filter((line) => !/^(?:query|ask|vary) /.test(line));
    const answers = texts.map((line) => ({
      style: line.split(' ')[0] ?? '',
      text: line.slice(line.indexOf(' ') + 1).replaceAll('\\n', '\n'),
    }));
    return namesOf(of('vary')).map((names) => ({
      space,
      query: JSON.parse(fillNames(query.slice(space.length + 1), names)),
      question: fillNames(ask, names),
      answers,
      names,
    }));
  });
}

/** Slots beside the varied one: another value, the month before, and a month that is neither. */
const OTHERS: Readonly<Record<string, string>> = { F: 'G', R: 'S', C: 'D', T: 'U' };

function namesOf(lines: readonly string[]): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const line of lines) {
    const [slot = '', ...values] = line.split(' ');
    const one = values.map((value, index) => {
      const other = values[(index + 1) % values.length] ?? '';
      return slot === 'P' ? monthSlots(value, other) : { [slot]: value, [OTHERS[slot] ?? '']: other };
    });
    all = all.flatMap((names) => one.map((more) => ({ ...names, ...more })));
  }
  return all;
}

function monthSlots(month: string, other: string): Record<string, string> {
  const before = shift(month, -1);
  const neither = [other, shift(month, 2), shift(month, 3)].find((one) => one !== month && one !== before) ?? other;
  return {
    P: nameOf(month),
    'P.from': `${month}-01`,
    'P.to': endOf(month),
    O: nameOf(before),
    'O.from': `${before}-01`,
    'O.to': endOf(before),
    Q: nameOf(neither),
  };
}

function shift(month: string, by: number): string {
  const date = new Date(`${month}-15T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

function endOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

function nameOf(month: string): string {
  const date = new Date(`${month}-15T00:00:00Z`);
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function fillNames(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\{([A-Z][\w.]*)\}/g, (slot, name: string) => names[name] ?? slot);
}

/** Puts names and figures of the result into an answer. */
function fillSlots(text: string, { names, table }: { names: ProseBlock['names']; table: Table }): string {
  const slots = { ...changeSlots(table), ...names };
  return text.replace(/\{([A-Za-z][\w.]*)\}/g, (slot, name: string) => {
    const filled = slots[name] ?? cellSlot(name, table);
    if (filled === undefined) throw new Error(`Nothing fills ${slot} in: ${text}`);
    return filled;
  });
}

function cellSlot(name: string, { names, rows, values }: Table): string | undefined {
  const match = /^([nvwtabcq])(\d+|min|max|last)$/.exec(name);
  if (!match) return { part: rows[0]?.[1], whole: rows[0]?.[2] }[name];
  const [, kind = '', place = ''] = match;
  const ends = {
    min: values.indexOf(Math.min(...values)),
    max: values.indexOf(Math.max(...values)),
    last: names.length - 1,
  };
  const at = /^\d/.test(place) ? Number(place) : ends[place as keyof typeof ends];
  if (kind === 'n') return names[at];
  if (kind === 'q') return (names[at] ?? '').replace(/^(\d+)-(Q\d)$/, '$2 $1');
  if (kind === 't') return nameOf(names[at] ?? '');
  return rows[at]?.[kind === 'w' || kind === 'b' ? 1 : 0];
}

/** Words for a change of the figures, with the opposite as the wrong ones. */
function changeSlots({ values, before }: Table): Record<string, string> {
  const isUp = (values[0] ?? 0) > (before[0] ?? 0);
  const either = (up: string, down: string) => `<direction|${isUp ? `${up}|${down}` : `${down}|${up}`}>`;
  return {
    rose: either('rose', 'fell'),
    up: either('up', 'down'),
    Up: either('Up', 'Down'),
    upfrom: either('up from', 'down from'),
    higher: either('higher', 'lower'),
  };
}
