import { readFileSync } from 'node:fs';
import { findData, readParts } from '../find-data.ts';

/** Commands that people gave to other assistants, short enough for a title. */
const COMMAND =
  /^(?:book|play|send|transfer|call|order|turn|find|check|translate|cancel|change|pay|make|get|buy|schedule|text|email|update|read|reserve|convert|calculate|search|move|open|start|stop|add|delete|remove|post|report|apply|renew|track|rate|replace|clean|dim|lower|raise|put|look|reply|share|download|sync|plan|rent|activate|freeze) /;
const NO_TITLE = /\b(?:me|you|your|please|list|lists|todo|reminder|reminders|task|tasks|remind|this|that|it)\b|[?<[]/;

/** A thing to do in the forms that sentences need. */
interface VerbTitle {
  base: string;
  past: string;
  gerund: string;
}

export interface Fillers {
  verbs: readonly VerbTitle[];
  /** Titles that are known in their base form only. */
  bases: readonly string[];
  /** Commands of other domains, by people. */
  commands: readonly string[];
  nouns: readonly string[];
  words: ReadonlyMap<string, readonly string[]>;
}

/** Reads what fills the placeholders of the templates: titles and words. */
export function readFillers(): Fillers {
  const verbs: VerbTitle[] = [];
  const nouns: string[] = [];
  for (const line of readLines('titles')) {
    const [head = '', rest = ''] = splitOnce(line, ':');
    if (head === 'nouns') nouns.push(...rest.split(','));
    else verbs.push(...rest.split(',').map((object) => toVerbTitle(head.split('|'), object)));
  }
  const house: Record<string, string[]> = JSON.parse(readFileSync(findData('fillers.json'), 'utf8'));
  nouns.push(...(house.n ?? []));
  return { verbs, bases: house.t ?? [], commands: readCommands(), nouns, words: readSections('words') };
}

function readCommands(): string[] {
  const rows = readFileSync(findData('intents/train.jsonl'), 'utf8').trim().split('\n');
  const texts = rows
    .map((line): { text: string; intent: string } => JSON.parse(line))
    .filter(({ intent }) => intent === 'unknown')
    .map(({ text }) => text);
  return texts.filter((text) => COMMAND.test(text) && !NO_TITLE.test(text) && text.split(' ').length <= 7);
}

function toVerbTitle([base = '', past = '', gerund = '']: string[], object: string): VerbTitle {
  const [whole, done, doing] = [base, past, gerund].map((verb) => `${verb} ${object}`.trim());
  return { base: whole ?? '', past: done ?? '', gerund: doing ?? '' };
}

/** Reads a part of templates.txt in sections: `@name`, then one entry a line; `//` begins a remark. */
export function readSections(name: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let section: string[] = [];
  for (const line of readLines(name)) {
    if (line.startsWith('//')) continue;
    if (/^@[a-z]+$/.test(line)) {
      section = sections.get(line.slice(1)) ?? [];
      sections.set(line.slice(1), section);
    } else section.push(line);
  }
  return sections;
}

function readLines(name: string): string[] {
  const text = readParts('templates.txt').get(name) ?? '';
  return text.split('\n').filter((line) => line.trim() !== '');
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + 1)];
}
