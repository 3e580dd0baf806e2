import type { JsonObject } from '../../src/schema/json.ts';

/** A query of the file with values filled in, its question, and the answers over it. */
export interface ProseBlock {
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
export function readProse(file: string): ProseBlock[] {
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
export function fillSlots(text: string, { names, table }: { names: ProseBlock['names']; table: Table }): string {
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
