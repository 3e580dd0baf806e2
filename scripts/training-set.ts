import { readFileSync } from 'node:fs';
import { featuresOf } from '../src/builtin/features.ts';
import { CLASSES, type IntentClass } from '../src/builtin/intent-model.ts';
import { readFrame } from '../src/builtin/read-frame.ts';
import type { Example } from './train-linear.ts';

const DATA = new URL('../data/builtin/', import.meta.url);
/** Collected messages about tasks are few beside the others. */
const TASK_WEIGHT = 3;
/** How often a template is filled in, and how much one such sentence counts beside a collected one. */
const FILLS = 10;
const OWN_WEIGHT = 2;
/** A bare noun is as often about something else. */
const NOUN_WEIGHT = 0.5;

const CLASS_OF: Readonly<Record<string, IntentClass>> = {
  create_task: 'create',
  list_tasks: 'list',
  complete_task: 'complete',
  delete_task: 'delete',
  update_task: 'update',
  clarification_needed: 'clarify',
  unknown: 'unknown',
};

export function readTrainingSet(): Example[] {
  const collected = readLines('intents/train.jsonl').map((line) => {
    const row: { text: string; intent: string } = JSON.parse(line);
    return toExample(row.text, row.intent, row.intent === 'unknown' ? 1 : TASK_WEIGHT);
  });
  return [...collected, ...readTemplates()];
}

function readTemplates(): Example[] {
  const fillers: Record<string, string[]> = JSON.parse(readFileSync(new URL('fillers.json', DATA), 'utf8'));
  return readLines('sentences-train.tsv')
    .slice(1)
    .flatMap((line, row) => {
      const [intent = '', template = ''] = line.split('\t');
      const fills = fillsOf(template, fillers);
      const texts = Array.from({ length: fills }, (_, turn) => fillIn(template, fillers, row * 31 + turn));
      return texts.map((text) =>
        toExample(
          text,
          intent,
          fills < FILLS ? (OWN_WEIGHT * FILLS) / fills : /^(?:the )?\{n\}$/.test(template) ? NOUN_WEIGHT : OWN_WEIGHT,
        ),
      );
    });
}

/** Where the filler is all that there is, each one is worth seeing. */
function fillsOf(template: string, fillers: Readonly<Record<string, readonly string[]>>): number {
  const only = /^(?:the )?\{([tn])\}(?: \{d\})?$/.exec(template);
  if (only) return fillers[String(only[1])]?.length ?? FILLS;
  return template.includes('{') ? FILLS : 4;
}

/** Fillers in turn, so that the same files always give the same sentences. */
function fillIn(template: string, fillers: Readonly<Record<string, readonly string[]>>, turn: number): string {
  let step = turn;
  return template.replace(/\{(\w+)\}/g, (_, kind: string) => {
    const words = fillers[kind] ?? [];
    step += 1;
    return words[Math.imul(step, 7919) % words.length] ?? '';
  });
}

function toExample(text: string, intent: string, weight: number): Example {
  return { features: featuresOf(text, readFrame(text)), label: CLASSES.indexOf(CLASS_OF[intent] ?? 'unknown'), weight };
}

function readLines(name: string): string[] {
  return readFileSync(new URL(name, DATA), 'utf8').trim().split('\n');
}
