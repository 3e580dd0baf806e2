import { readFileSync } from 'node:fs';
import { splitWords } from '../../../src/builtin/reader/word-pieces.ts';
import { findData, readParts } from '../find-data.ts';
import { fillTemplate, type Segment } from './fill-template.ts';
import { readFillers, readSections } from './fillers.ts';
import { createRandom } from './random.ts';
import { roughen } from './roughen.ts';
import { LEARNED_INTENTS, type LearnedIntent, type WordTag } from './template-labels.ts';

/** A sentence with its intent; generated ones also have a tag for each word. */
export interface LearnedExample {
  text: string;
  intent: LearnedIntent;
  tags?: WordTag[];
  /** The pieces of a generated sentence. */
  segments?: readonly Segment[];
  /** Number of the template, to keep sentences of one template together. */
  template?: number;
  weight: number;
}

export interface Template {
  intent: LearnedIntent;
  text: string;
  file: string;
}

/** Parts of templates.txt that fill the others. */
const FILLERS = ['titles', 'words'];

export function readTemplates(): Template[] {
  const voices = [...readParts('templates.txt').keys()].filter((name) => !FILLERS.includes(name));
  return voices.flatMap((file) =>
    [...readSections(file)].flatMap(([section, lines]) =>
      lines.map((text) => ({ intent: toIntent(section), text, file })),
    ),
  );
}

function toIntent(name: string): LearnedIntent {
  const intent = LEARNED_INTENTS.find((known) => known === name);
  if (!intent) throw new Error(`unknown intent ${name}`);
  return intent;
}

/** Contrasting pairs need many titles in each frame, and must outweigh off-topic rows with the same first words. */
const CONTRAST_FACTOR = 3;

/** Draws `fills` sentences from each template. */
export function generate(seed: number, fills: number): LearnedExample[] {
  const random = createRandom(seed);
  const fillers = readFillers();
  return readTemplates().flatMap(({ intent, text, file }, template) => {
    const isContrast = file === 'contrast';
    const count = isContrast ? fills * CONTRAST_FACTOR : fills;
    return Array.from({ length: count }, () => {
      const segments = roughen(fillTemplate(text, { fillers, random, intent }), random);
      return { ...joinSegments(segments), segments, intent, template, weight: isContrast ? CONTRAST_FACTOR : 1 };
    });
  });
}

/** Joins the pieces; a word gets the tag of the piece that it begins in. */
function joinSegments(segments: readonly Segment[]): { text: string; tags: WordTag[] } {
  const text = segments.map((segment) => segment.text).join('');
  const ends: number[] = [];
  let end = 0;
  for (const segment of segments) {
    end += segment.text.length;
    ends.push(end);
  }
  const tagAt = (place: number) => segments[ends.findIndex((limit) => place < limit)]?.tag ?? 'none';
  return { text, tags: splitWords(text).map(({ start }) => tagAt(start)) };
}

const PUBLIC_INTENTS: Readonly<Record<string, LearnedIntent>> = {
  create_task: 'create',
  list_tasks: 'list',
  delete_task: 'delete',
  unknown: 'unknown',
};
/** Labels of the public sets that have a class of their own here. */
const PUBLIC_LABELS: Readonly<Record<string, LearnedIntent>> = { what_can_i_ask_you: 'help' };
/** Wordings that open a task for this assistant, whatever the topic. */
export const ERRAND =
  /^(?:please )?(?:i|we)(?:'ve)? (?:really )?(?:need to|have to|must|should|gotta|got to|ought to) (?!know|find out|understand|hear|be\b|have\b)\w+|^(?:remind me to|don't forget to) /;

/** First words that commands to this assistant share with off-topic rows. */
const OPENING = /^(?:please )?(?:add|i need to|i want to) /;

/** Messages of CLINC150 and HWU64, without off-topic rows that are worded like an errand. */
export function readPublic(name: 'train' | 'val'): LearnedExample[] {
  const lines = readFileSync(findData(`intents/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line) => {
    const row: { text: string; intent: string; label: string } = JSON.parse(line);
    const intent = PUBLIC_LABELS[row.label] ?? PUBLIC_INTENTS[row.intent] ?? 'unknown';
    if (name === 'train' && intent === 'unknown' && ERRAND.test(row.text)) return [];
    return [{ text: row.text, intent, weight: intent === 'unknown' && OPENING.test(row.text) ? 0.3 : 1 }];
  });
}
