import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText, stripPoliteness } from '../../../language/clean-text.ts';
import type { MessageLabel } from '../../reader/labels.ts';
import { isPronoun } from '../resolve-reference.ts';
import { findMentions } from '../talk/mentions.ts';
import { peel } from '../talk/peel.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { isUnknown, type Scene } from './agreement.ts';
import type { GrammarReading } from './command-traits.ts';

/**
 * Chances of another topic by the reader. `likely`: enough against a guess of the grammar. `word`: against one word. `sure`: against an order.
 * `certain`: against an errand that the grammar does not read. `both`: the chance of the n-gram model from which the two count
 * together. `heard`: the chance of a question about tasks from which the grammar is believed.
 */
const TOPIC = { likely: 0.6, word: 0.8, sure: 0.9, certain: 0.95, both: 0.5, heard: 0.3 } as const;

/** A need is a task, whatever its topic: "I need to pay my credit card bill". */
const NEED =
  /^(?:(?:i|we)(?:'ve| have| really| still| also| just)*\s*(?:(?:need|have|got|ought|supposed) to|must|should|gotta|promised)|(?:must|need to|have to)(?= \w+ \w))\b/i;
/** Needs that ask this program for something: "I need to know …". */
const ASKING =
  /^(?:i|we)\b.*?\b(?:to|must|should|promised)\s+(?:(?:also|really|just)\s+)*(?:know|find out|see|hear|understand|be|you|i|it)\b|\bhow\b\W*$/i;
/** Words that only this program is asked with. */
const OURS = /\b(?:tasks?|to-?dos?|to do|remind(?:er)?s?|remember|(?:my|the|shopping|grocery) list|forget)\b|["“]/i;
/** Wishes are needs, or requests to an assistant. */
const WISH = /^(?:i|we)(?:'d| would)? (?:want|like|love|wish|plan)\b/i;

/** Orders that a device obeys at once. */
const FOR_DEVICE =
  /^(?:play|turn (?:up|down|on|off)|switch|mute|skip|pause|rewind|dim|stop|tell|show|translate|convert)\b/i;
/** Lists that are not ours. */
const OTHER_LIST =
  /\b(?:to|on|in|into|onto|as)\s+(?:\w+\s+){0,4}?(?:playlist|mix|contacts?(?: list| information)?|phone ?book|address book|favou?rites?(?: list)?|inbox|library|queue)\b/i;

interface Heard {
  text: string;
  grammar: GrammarReading;
  labels: Readonly<Record<MessageLabel, number>>;
  /** The chance of another topic by the n-gram model. */
  offTopic: number;
  scene: Scene & { memory: TaskMemory };
}

/**
 * The topic of a message that is no request about tasks: the reader is sure of that, and the grammar only guesses. A title that is
 * announced, a need and a task of the user are never vetoed by their topic.
 */
export function topicElsewhere(heard: Heard): 'elsewhere' | 'help' | undefined {
  const { text, grammar, labels, scene } = heard;
  if (findMentions(text, scene.tasks).kind !== 'none') return undefined;
  if (grammar.kind === 'commands' && !grammar.commands.every((command) => isLoose(command, scene))) return undefined;
  if (labels.help >= TOPIC.sure && !isAnnounced(text)) return 'help';
  return isElsewhere(heard) ? 'elsewhere' : undefined;
}

function isElsewhere({ text, grammar, labels, offTopic, scene: { memory } }: Heard): boolean {
  const chance = Math.max(labels.other, labels.chat);
  const plain = stripPoliteness(cleanText(text));
  const isAsking = ASKING.test(plain);
  if (chance < TOPIC.likely || OURS.test(text) || (NEED.test(plain) && !isAsking)) return false;
  const isWish = WISH.test(plain);
  const isErrand = startsWithVerb(plain) || isWish;
  // In a talk about tasks an errand may be one more of them, whatever its topic.
  if (isErrand && memory.known.length > 0) return false;
  if (grammar.kind !== 'commands') {
    if (!/\s/.test(plain)) return chance >= TOPIC.word && offTopic >= TOPIC.both;
    return (
      !isErrand ||
      (!isWish && chance >= TOPIC.certain) ||
      (chance >= TOPIC.sure && offTopic >= TOPIC.both) ||
      OTHER_LIST.test(plain)
    );
  }
  if (grammar.commands.every(({ action }) => action !== 'create')) return labels.show < TOPIC.heard;
  if (isAsking || FOR_DEVICE.test(plain) || OTHER_LIST.test(plain)) return chance >= TOPIC.sure;
  return !isErrand && !isAnnounced(text);
}

function isAnnounced(text: string): boolean {
  return peel(text).asking !== 'none';
}

/** True if a reading of the reader is about no task of the user, and the n-gram model hears another topic. */
export function isFarFetched(commands: readonly Command[], offTopic: number, scene: Heard['scene']): boolean {
  if (scene.memory.known.length > 0 || commands.some(({ action }) => action === 'create')) return false;
  return offTopic >= TOPIC.sure && commands.every((command) => isLoose(command, scene));
}

/** A command that is about no task of the user. */
function isLoose(command: Command, scene: Heard['scene']): boolean {
  const { action, isQuoted, isWhole, targets, slots } = command;
  if (isQuoted || isWhole || targets || slots.filter !== undefined || slots.except !== undefined) return false;
  if (action === 'create') return true;
  if (action === 'undo' || action === 'dismiss' || action === 'restore') return false;
  if (action === 'list') return slots.ref === undefined || isUnknown(command, scene);
  return isPronoun(slots.ref ?? 'it') ? !scene.memory.last : isUnknown(command, scene);
}
