/** Measures the proposer: `node scripts/learned/measure.ts [folder of outside sentences] [--misses]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEARNED_INTENTS, type LearnedIntent, type Proposal, spansOf } from '../../src/builtin/learned/proposal.ts';
import { createProposer } from '../../src/builtin/learned/proposer.ts';
import { readSentences, type Sentence } from '../eval-intents.ts';
import { ERRAND, readPublic } from './make-set.ts';

/** Classes of the labelled sets; those that they do not have count as their nearest one. */
const SEVEN: Readonly<Record<LearnedIntent, string>> = {
  create: 'create_task',
  list: 'list_tasks',
  complete: 'complete_task',
  update: 'update_task',
  delete: 'delete_task',
  reopen: 'update_task',
  correct: 'update_task',
  clarify: 'clarification_needed',
  undo: 'unknown',
  confirm: 'unknown',
  deny: 'unknown',
  cancel: 'unknown',
  keep: 'unknown',
  help: 'unknown',
  unknown: 'unknown',
};

export type Propose = (text: string) => Pick<Proposal, 'intents' | 'words'>;

export interface SetScore {
  count: number;
  intents: number;
  slots: number;
  misses: string[];
}

export function bestOf({ intents }: Pick<Proposal, 'intents'>): LearnedIntent {
  return LEARNED_INTENTS.reduce((best, name) => (intents[name] > intents[best] ? name : best));
}

/** Intents of labelled sentences, and slots that hold the labelled words. */
export function scoreSentences(sentences: readonly Sentence[], propose: Propose): SetScore {
  const misses: string[] = [];
  let [right, slotted, slotsRight] = [0, 0, 0];
  for (const { text, intent, slots } of sentences) {
    const proposal = propose(text);
    const got = bestOf(proposal);
    if (SEVEN[got] === intent) right++;
    else misses.push(`${intent} got ${got} ${proposal.intents[got].toFixed(2)}: ${text}`);
    const expected = Object.entries(slots).filter(([name]) => name !== 'filter' && name !== 'after');
    if (expected.length === 0) continue;
    slotted++;
    const spans = spansOf(text, proposal.words);
    const has = ([name, value]: [string, string]) => {
      const tags = name === 'title' && intent === 'update_task' ? ['new'] : [name];
      const found = spans.filter(({ tag }) => tags.includes(tag)).map((span) => plain(span.text));
      return value.split(',').every((part) => found.includes(plain(part)));
    };
    if (expected.every(has)) slotsRight++;
    else
      misses.push(
        `slots ${JSON.stringify(slots)} got ${spans.map(({ tag, text: words }) => `${tag}=${words}`).join('; ')}: ${text}`,
      );
  }
  return {
    count: sentences.length,
    intents: right / sentences.length,
    slots: slotsRight / Math.max(1, slotted),
    misses,
  };
}

/** Articles, prepositions and "one" do not count: the sets label them in different ways. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:the|my|a|on|at|by|before|in) /, '')
    .replace(/ one$/, '');
}

export interface PublicScore {
  tasks: number;
  falseAccepts: number;
  /** The same without rows that are worded like an errand ("i need to …"), which this assistant takes on purpose. */
  otherAccepts: number;
  misses: string[];
}

/** Task rows and other rows of CLINC and HWU apart. */
export function scorePublic(propose: Propose): PublicScore {
  const rows = readPublic('val').map((row) => ({ ...row, got: SEVEN[bestOf(propose(row.text))] }));
  const tasks = rows.filter(({ intent }) => SEVEN[intent] !== 'unknown');
  const others = rows.filter(({ intent }) => SEVEN[intent] === 'unknown');
  const taskMisses = tasks.filter(({ intent, got }) => SEVEN[intent] !== got);
  const accepted = others.filter(({ got }) => got !== 'unknown');
  return {
    tasks: 1 - taskMisses.length / tasks.length,
    falseAccepts: accepted.length / others.length,
    otherAccepts: accepted.filter(({ text }) => !ERRAND.test(text)).length / others.length,
    misses: [...taskMisses, ...accepted].map(({ text, intent, got }) => `${intent} got ${got}: ${text}`),
  };
}

const WORDINGS: readonly (readonly [LearnedIntent, string])[] = [
  ['create', 'add X'],
  ['create', 'I need to X'],
  ['create', 'remind me to X'],
  ['create', 'jot down X'],
  ['create', 'put X on my list'],
  ['complete', 'mark X as done'],
  ['delete', 'delete X'],
  ['delete', 'get rid of X'],
  ['update', 'move X to Friday'],
  ['update', 'rename X to plan the week'],
];

/** Everyday errands in ten wordings: the intent, and the whole errand as its title or reference. */
export function scoreErrands(
  errands: readonly string[],
  propose: Propose,
): { wording: string; intents: number; spans: number }[] {
  return WORDINGS.map(([intent, wording]) => {
    const proposals = errands.map((errand) => ({ errand, text: wording.replace('X', errand) }));
    const right = proposals.filter(({ text }) => bestOf(propose(text)) === intent).length;
    const whole = proposals.filter(({ errand, text }) => {
      const tag = intent === 'create' ? 'title' : 'ref';
      return spansOf(text, propose(text).words).some((span) => span.tag === tag && span.text === errand);
    }).length;
    return { wording, intents: right, spans: whole };
  });
}

export function report(propose: Propose, outside: string | undefined, showMisses: boolean): void {
  const show = (name: string, score: SetScore) => {
    console.log(`${name}: ${score.count} sentences, intents ${percent(score.intents)}, slots ${percent(score.slots)}`);
    if (showMisses) for (const miss of score.misses) console.log(`  ${miss}`);
  };
  if (outside !== undefined) {
    const lines = (name: string) => readFileSync(join(outside, name), 'utf8').trim().split('\n');
    show('outside', scoreSentences(toSentences(lines('sentences.tsv').slice(1)), propose));
    const errands = scoreErrands(lines('errands.txt'), propose);
    for (const { wording, intents, spans } of errands) console.log(`  ${wording}: ${intents} intents, ${spans} spans`);
    const sum = (key: 'intents' | 'spans') => errands.reduce((total, row) => total + row[key], 0);
    console.log(`errands: ${sum('intents')} intents, ${sum('spans')} spans`);
  }
  show('dev', scoreSentences(readSentences('sentences-dev.tsv'), propose));
  show('held out', { ...scoreSentences(readSentences('sentences-heldout.tsv'), propose), misses: [] });
  const collected = scorePublic(propose);
  console.log(
    `public: task rows ${percent(collected.tasks)}, false accepts ${percent(collected.falseAccepts)} (${percent(collected.otherAccepts)} without errands)`,
  );
  if (showMisses) for (const miss of collected.misses) console.log(`  ${miss}`);
}

function toSentences(lines: readonly string[]): Sentence[] {
  return lines.map((line) => {
    const [intent = '', text = '', slots = ''] = line.split('\t');
    const pairs = slots.split(';').filter((pair) => pair.includes('='));
    return {
      intent,
      text,
      slots: Object.fromEntries(
        pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      ),
    };
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

if (import.meta.main) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const { propose } = createProposer();
  report(propose, folder, process.argv.includes('--misses'));
}
