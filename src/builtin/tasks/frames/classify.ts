import { startsWithVerb } from '../../../language/action-verbs.ts';
import { stripPoliteness } from '../../../language/clean-text.ts';
import { LEARNED_INTENTS, type LearnedIntent, type Proposal } from '../../learned/proposal.ts';
import type { Proposer } from '../../learned/proposer.ts';
import { isTimeLike, type TaskFrame } from './frame.ts';
import { learnedFrame } from './learned-frame.ts';
import { readFrame } from './read-frame.ts';

/** A frame with its evidence. `isBacked`: more than a probability speaks for it. */
export interface Reading {
  frame: TaskFrame;
  score: number;
  isBacked: boolean;
}

export interface Classified {
  /** `doubt`: the reading holds only if one of the user's tasks is meant. */
  kind: 'command' | 'doubt' | 'vague' | 'unknown';
  /** Best first. */
  readings: Reading[];
  confidence: number;
}

export interface Gate {
  proposer: Proposer;
  /** With other tools, the topic of a message does decide who answers it. */
  hasOtherTools?: boolean | undefined;
}

/** Limits of the ranker, set by hand with data/builtin/outside and the false accepts of intents/val.jsonl in view. */
const LIMITS = {
  /** The model's word that a message is about something else, over each kind of pattern. */
  unknown: { sure: 0.93, adding: 0.9, need: 0.3, errand: 0.9, open: 0.25, change: 0.15 },
  /** The least chance of an act that no pattern supports. */
  least: { list: 0.85, errand: 0.85, offer: 0.6, change: 0.5, clarify: 0.6 },
} as const;

const REMINDING = /^(?:remind me (?:to|about)|remember (?:to|that i)|don'?t (?:let me )?forget)\b/i;
/** Verbs that are hardly said to an assistant about anything but its list, and needs: what follows is the title. */
const ADDING = /^(?:add|jot|note|todo|to-do|write down|put)\b/i;
const NEED =
  /^(?:(?:i|we)(?:'ve| have| really| still| also| just)*\s*(?:(?:need|have|got|ought|supposed) to|must|should|gotta|promised)|(?:must|need to|have to)(?= \w+ \w))\b/i;
/** Needs that ask this program for something: "I need to know …". */
const ASKING =
  /^(?:i|we)\b.*?\b(?:to|must|should|promised)\s+(?:(?:also|really|just)\s+)*(?:know|find out|see|hear|understand|ask you|talk to (?:you|someone|a|an|somebody)|speak (?:to|with)|be|you|i|it)\b|\bhow\b\W*$/i;
const BUYING = /^(?:buy|pick up|water the|mow the|take out the|clean the)\b(?! me\b)/i;
/** A command that names its kind of thing. */
const ON_TASKS =
  /^(?:add|create|make|new|set|put|delete|remove|mark|complete|finish|rename|change|move)\b.*\b(?:tasks?|to-?dos?|reminders?)\b/i;
const SUM = /^[\d\s.,+*/x-]+(?:and|plus|to|by|times)?[\d\s.,]*$|^(?:up|together)\b/i;
/** Lists that are not ours. */
const OTHER_LIST =
  /\b(?:to|on|in|into|onto|as)\s+(?:\w+\s+){0,3}?(?:playlist|mix|contacts?(?: list| information)?|phone ?book|address book|favou?rites?(?: list)?|inbox|library|queue)\b/i;

/** A file is the business of the other tools, unless the words are about tasks. */
const FILE_NAME =
  /(?:^|[\s"'“/])[\w-]+\.(?:txt|md|csv|json|ya?ml|log|html?|pdf|docx?|xlsx?|pptx?|png|jpe?g|[jt]sx?|py)\b/i;

/** Reads a clause by its patterns and by the learned model, and ranks the readings. */
export function classify(clause: string, { proposer, hasOtherTools = false }: Gate): Classified {
  const proposal = proposer.propose(clause);
  const frame = readFrame(clause);
  const { unknown } = proposal.intents;
  const isFileWork = hasOtherTools && FILE_NAME.test(clause) && !REMINDING.test(clause) && !ON_TASKS.test(clause);
  if (isFileWork) return { kind: 'unknown', readings: [], confidence: Math.max(0.6, unknown) };
  if (!frame) return settleLearned(clause, proposal);
  const reading = { frame, score: 1 - unknown, isBacked: true };
  if (isForOthers(frame, clause)) return { kind: 'unknown', readings: [], confidence: Math.max(0.6, unknown) };
  if (unknown <= limitFor(frame, clause, hasOtherTools)) return settleGrammar(reading, clause, proposal);
  const isChange = frame.action !== 'create' && frame.action !== 'list' && frame.slots.ref !== undefined;
  return { kind: isChange && !frame.sure ? 'doubt' : 'unknown', readings: [reading], confidence: unknown };
}

/** "add 5 and 7", "add this song to my playlist": adding, but not a task. */
function isForOthers({ action, slots }: TaskFrame, clause: string): boolean {
  const isAdding = action === 'create' && ADDING.test(stripPoliteness(clause)) && !isUnmistakable(clause);
  return isAdding && (SUM.test(slots.title ?? '') || OTHER_LIST.test(clause));
}

/** A reminder, or a title in quotes: nothing else is said like that. */
function isUnmistakable(clause: string): boolean {
  const command = stripPoliteness(clause);
  return REMINDING.test(command) || ON_TASKS.test(command) || /["“]|(?:^|\s)'[^']+'(?=\W|$)/.test(clause);
}

/** The chance of another topic up to which a pattern is believed. */
function limitFor({ action, sure }: TaskFrame, clause: string, hasOtherTools: boolean): number {
  const { unknown } = LIMITS;
  if (sure) return isUnmistakable(clause) ? 1 : unknown.sure;
  const command = stripPoliteness(clause);
  if (action !== 'create') return action === 'list' ? unknown.open : unknown.change;
  if (BUYING.test(command)) return unknown.adding;
  if (startsWithVerb(command) && isTimeLike(command)) return unknown.errand;
  if (hasOtherTools) return unknown.open;
  if (ADDING.test(command)) return unknown.adding;
  return NEED.test(command) && !ASKING.test(command) ? unknown.need : unknown.open;
}

/** A doubtful pattern gives way to an act that the model is sure of and whose parts it finds. */
function settleGrammar(reading: Reading, clause: string, proposal: Proposal): Classified {
  const { frame } = reading;
  const confidence = Math.max(0.6, reading.score);
  const best = bestOf(proposal);
  const isAgreed = frame.sure || best === intentOf(frame) || proposal.intents[best] < LIMITS.least.list;
  const other = isAgreed ? undefined : learnedFrame(clause, best, proposal);
  if (!other) return { kind: 'command', readings: [reading], confidence };
  const rival = { frame: other, score: proposal.intents[best], isBacked: other.action === 'list' };
  return { kind: rival.isBacked ? 'command' : 'vague', readings: [rival, reading], confidence };
}

/** The act of a frame as the learned model names it. */
function intentOf({ action, slots }: TaskFrame): LearnedIntent {
  if (action === 'dismiss') return 'cancel';
  if (action === 'restore') return 'undo';
  return action === 'update' && slots.is_completed === false ? 'reopen' : action;
}

function bestOf({ intents }: Proposal): LearnedIntent {
  return LEARNED_INTENTS.reduce((best, intent) => (intents[intent] > intents[best] ? intent : best));
}

/** A change that the model is sure of is looked up; the answer says if no such task is there. */
function changeKind(score: number, { intents }: Proposal): Classified['kind'] {
  if (score > LIMITS.least.list && intents.unknown < LIMITS.unknown.change) return 'command';
  return score > LIMITS.least.change ? 'doubt' : 'unknown';
}

/** "milk": a word alone may well be a task. */
function isOneWord(clause: string, { intents }: Proposal): boolean {
  return /^[\p{L}'-]+\W*$/u.test(clause.trim()) && intents.unknown < LIMITS.unknown.errand;
}

/** No pattern fits. Nothing is changed on the model's word alone: a list is shown, an errand added, the rest offered. */
function settleLearned(clause: string, proposal: Proposal): Classified {
  const best = bestOf(proposal);
  const score = proposal.intents[best];
  const frame = learnedFrame(clause, best, proposal);
  const confidence = score;
  if (!frame)
    return isOneWord(clause, proposal) || (best === 'clarify' && score > LIMITS.least.clarify)
      ? { kind: 'vague', readings: [], confidence }
      : { kind: 'unknown', readings: [], confidence: Math.max(0.5, proposal.intents.unknown) };
  const readings = [{ frame, score, isBacked: false }];
  if (frame.action === 'list')
    return score > LIMITS.least.list
      ? { kind: 'command', readings, confidence }
      : { kind: 'unknown', readings, confidence };
  if (frame.action !== 'create') return { kind: changeKind(score, proposal), readings, confidence };
  const isErrand = startsWithVerb(frame.slots.title ?? '') && score > LIMITS.least.errand;
  if (isErrand) return { kind: 'command', readings: [{ frame, score, isBacked: true }], confidence };
  return { kind: score > LIMITS.least.offer ? 'vague' : 'unknown', readings, confidence };
}
