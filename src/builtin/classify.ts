import { stripPoliteness, unquote } from './clean-text.ts';
import { featuresOf } from './features.ts';
import type { Action, Frame, FrameReader } from './frame.ts';
import { readComplete } from './frame-complete.ts';
import { readCreate } from './frame-create.ts';
import { readDelete } from './frame-delete.ts';
import { listSlots } from './frame-list.ts';
import { readUpdate } from './frame-update.ts';
import { CLASSES, type IntentClass, type IntentModel, type Probabilities, scoreIntents } from './intent-model.ts';
import { readFrame } from './read-frame.ts';

export interface Classified {
  kind: 'command' | 'vague' | 'unknown';
  frame?: Frame;
  confidence: number;
}

/** Above this a message is taken to be about something else, even though some pattern fits. */
const UNKNOWN_OVER_SURE = 0.98;
const REMINDING = /^(?:remind me (?:to|about)|remember (?:to|that i)|don'?t (?:let me )?forget)\b/i;
const UNKNOWN_OVER_OPEN = 0.75;
/** Verbs that are hardly said to an assistant about anything but its list. */
const UNKNOWN_OVER_VERB = 0.95;
const UNKNOWN_OVER_NEED = 0.9;
const NEED = /^(?:i|we)(?:'ve| have)?\b.{0,12}\b(?:to|must|should)\b/i;
const TASK_VERB = /^(?:add|delete|remove|erase|mark|tick|rename|todo)\b/i;
const UNKNOWN_OVER_NONE = 0.6;
const LEAST_LIST = 0.7;
/** Below this a title without any command word is asked about before it is added. */
const BARE_TITLE = 0.6;

/** Weighs the pattern that fits a clause against the trained model, and settles on one reading. */
export function classify(clause: string, model: IntentModel): Classified {
  const frame = readFrame(clause);
  const scores = scoreIntents(model, featuresOf(clause, frame));
  if (frame?.sure) return settle(frame, scores, isUnmistakable(clause) ? 1 : UNKNOWN_OVER_SURE);
  if (frame) return settleOpen(frame, clause, scores);
  return settleBare(clause, scores);
}

/** A reminder, or a title in quotes: nothing else is said like that. */
function isUnmistakable(clause: string): boolean {
  return REMINDING.test(stripPoliteness(clause)) || /["“]|(?:^|\s)'[^']+'(?=\W|$)/.test(clause);
}

function settle(frame: Frame, scores: Probabilities, limit: number): Classified {
  if (scores.unknown > limit) return { kind: 'unknown', confidence: scores.unknown };
  return { kind: 'command', frame, confidence: Math.max(0.6, 1 - scores.unknown) };
}

/** A pattern that could be about anything: the model decides whether it is about tasks, and may read it differently. */
function settleOpen(frame: Frame, clause: string, scores: Probabilities): Classified {
  if (scores.unknown > limitFor(frame, stripPoliteness(clause))) return { kind: 'unknown', confidence: scores.unknown };
  const best = bestTaskClass(scores);
  const other = best !== frame.action && best !== 'clarify' && scores[best] > 0.6 ? readAs(best, clause) : undefined;
  return settle(other ?? frame, scores, 1);
}

function limitFor({ action }: Frame, command: string): number {
  if (TASK_VERB.test(command)) return UNKNOWN_OVER_VERB;
  return action === 'create' && NEED.test(command) ? UNKNOWN_OVER_NEED : UNKNOWN_OVER_OPEN;
}

/** No pattern fits. Nothing is ever deleted or changed on the model's word alone. */
function settleBare(clause: string, scores: Probabilities): Classified {
  if (scores.unknown > UNKNOWN_OVER_NONE) return { kind: 'unknown', confidence: scores.unknown };
  const best = bestTaskClass(scores);
  const confidence = 1 - scores.unknown;
  if (best === 'list' && scores.list < LEAST_LIST) return { kind: 'unknown', confidence: 1 - scores.list };
  if (best === 'list')
    return { kind: 'command', frame: { action: 'list', sure: false, slots: listSlots(clause) }, confidence };
  if (best === 'create' && scores.create > BARE_TITLE) {
    return {
      kind: 'command',
      frame: { action: 'create', sure: false, slots: { title: unquote(stripPoliteness(clause)) } },
      confidence,
    };
  }
  if (best === 'complete' || best === 'delete' || best === 'update') {
    return { kind: 'command', frame: { action: best, sure: false, slots: {}, missing: 'ref' }, confidence };
  }
  return { kind: 'vague', confidence };
}

function bestTaskClass(scores: Probabilities): Exclude<IntentClass, 'unknown'> {
  const classes = CLASSES.filter((name) => name !== 'unknown');
  return classes.reduce((best, name) => (scores[name] > scores[best] ? name : best));
}

const READERS: Readonly<Record<Exclude<Action, 'undo' | 'list'>, FrameReader>> = {
  create: readCreate,
  complete: readComplete,
  delete: readDelete,
  update: readUpdate,
};

function readAs(action: Exclude<IntentClass, 'unknown' | 'clarify'>, clause: string): Frame | undefined {
  const text = stripPoliteness(clause);
  return action === 'list' ? { action, sure: false, slots: listSlots(text) } : READERS[action](text);
}
