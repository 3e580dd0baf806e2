import { readFileSync } from 'node:fs';
import { createReader } from '../../src/builtin/sentences-fixture.ts';
import { findData } from './find-data.ts';

export interface OutsideRow {
  intent: string;
  text: string;
  slots: Record<string, string>;
}

export interface OutsideScore {
  count: number;
  intents: number;
  /** All slots of a message as labelled, apart from a leading preposition or article. */
  slots: number;
  misses: string[];
}

/** Labels of the outside sets that our seven intents have under another name. */
const NAMES: Readonly<Record<string, string>> = {
  unclear: 'clarification_needed',
  needs_clarification: 'clarification_needed',
  get_help: 'unknown',
  undo: 'unknown',
};

/** Reads the sentences of a set; `outside` is the oldest one, which the repository does not hold. */
export function readOutside(set: string): OutsideRow[] {
  const rows = readSentenceLines(set).filter((line) => !line.startsWith('#') && !line.startsWith('intent\t'));
  return rows.map((line) => {
    const [intent = '', text = '', slots = ''] = line.split('\t');
    const pairs = slots.split(';').filter(Boolean);
    return {
      intent: NAMES[intent] ?? intent,
      text,
      slots: Object.fromEntries(pairs.map((pair) => pair.split('=', 2))),
    };
  });
}

/** Lines of intent, message and slots, with a tab between them. */
export function readSentenceLines(set: string): string[] {
  const name = set === 'outside' ? 'outside/sentences.tsv' : 'sentences.tsv';
  const lines = readFileSync(findData(name), 'utf8').trim().split('\n');
  if (set === 'outside') return lines;
  return lines.filter((line) => line.startsWith(`${set}\t`)).map((line) => line.slice(set.length + 1));
}

/** Scores sentences of an outside set; each is the first message of a user without tasks. */
export function scoreOutside(set: string): OutsideScore {
  const read = createReader();
  const rows = readOutside(set).map((row) => {
    const { intents } = read(row.text);
    const isRight = intents.length > 0 && intents.every(({ name }) => name === row.intent);
    return { row, isRight, hasSlots: isRight && sameSlots(row, intents) };
  });
  const slotted = rows.filter(({ row }) => Object.keys(row.slots).length > 0);
  return {
    count: rows.length,
    intents: rows.filter(({ isRight }) => isRight).length / rows.length,
    slots: slotted.filter(({ hasSlots }) => hasSlots).length / Math.max(1, slotted.length),
    misses: rows.flatMap(({ row, isRight, hasSlots }) => {
      if (isRight && (hasSlots || Object.keys(row.slots).length === 0)) return [];
      const got = read(row.text).intents.map(({ name, parameters }) => `${name} ${JSON.stringify(parameters)}`);
      return [
        `${isRight ? 'slots ' : 'INTENT'} ${row.text} | ${row.intent} ${JSON.stringify(row.slots)} | ${got.join(' + ')}`,
      ];
    }),
  };
}

type Parameters = { parameters: Record<string, unknown> };

function sameSlots({ slots }: OutsideRow, intents: readonly Parameters[]): boolean {
  return Object.entries(slots).every(([name, value]) => {
    const wanted = value.split(/[|,]/).map(loose);
    const key = name === 'new_title' ? 'title' : name;
    const found = intents.flatMap(({ parameters }) => loose(String(parameters[key] ?? '')));
    if (wanted.length > 1) return wanted.every((part) => found.some((got) => got === part || got.includes(part)));
    return found[0] === wanted[0];
  });
}

/** Prepositions before a time and articles before a name are not part of what is compared. */
export function loose(text: string): string {
  return text
    .toLowerCase()
    .replace(/["'’.!?]/g, '')
    .replace(/^(?:(?:at|on|by|for|before|until|till|due|from|in|to|the|my|a|an|called|task|one)\s+)+/, '')
    .replace(/\s+(?:one|task)$/, '')
    .trim();
}

export const WORDINGS: readonly (readonly [string, string, (title: string) => string])[] = [
  ['add', 'create_task', (title) => `add ${title}`],
  ['I need to', 'create_task', (title) => `I need to ${title}`],
  ['remind me to', 'create_task', (title) => `remind me to ${title}`],
  ['jot down', 'create_task', (title) => `jot down ${title}`],
  ['put on my list', 'create_task', (title) => `put ${title} on my list`],
  ['mark as done', 'complete_task', (title) => `mark ${title} as done`],
  ['delete', 'delete_task', (title) => `delete ${title}`],
  ['get rid of', 'delete_task', (title) => `get rid of ${title}`],
  ['move to Friday', 'update_task', (title) => `move ${title} to Friday`],
  ['rename', 'update_task', (title) => `rename ${title} to buy soap`],
];

/** How many errands each wording is understood for, by a user who has them as tasks. */
export function scoreErrands(): { wording: string; right: number; count: number }[] {
  const errands = readFileSync(findData('outside/errands.txt'), 'utf8').trim().split('\n');
  const read = createReader(errands);
  return WORDINGS.map(([wording, intent, say]) => ({
    wording,
    right: errands.filter((title) => read(say(title)).intent.name === intent).length,
    count: errands.length,
  }));
}
