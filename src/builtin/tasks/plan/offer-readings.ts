import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { PlanReply } from '../../plan.ts';
import type { Reading } from '../frames/classify.ts';
import { isEmptyTitle } from '../frames/frame-create.ts';
import type { Command, Pending } from '../task-context.ts';

const MAX_CHOICES = 3;
const MAX_TITLE_WORDS = 4;

export interface Vague {
  words: string;
  readings: readonly Reading[];
  confidence: number;
}

/** Names the likeliest readings of a message, so that one word or key is enough to choose. Nothing is done. */
export function offerReadings({ words, readings, confidence }: Vague, zone: Zone): PlanReply<Pending> {
  const read = readings.map(({ frame }): Command => ({ action: frame.action, confidence, slots: frame.slots }));
  const title = unquote(stripPoliteness(words));
  const commands = [...read, ...byDate(title, confidence, zone), toCreate(title, confidence, zone)];
  return offerChoices(
    commands.map((command) => [command]),
    { title, confidence },
  );
}

/**
 * Asks which of some readings is meant; each is one command or several. Where only a title is in doubt the intent is known;
 * `title` are words of which not even that is sure.
 */
export function offerChoices(
  readings: readonly Command[][],
  { title, confidence }: { title?: string; confidence: number },
): PlanReply<Pending> {
  const offered = withoutRepeats(readings);
  const choices = offered.map(describeCommands);
  const areNew = offered.flat().every(({ action }) => action === 'create');
  const asked =
    choices.length > 1 ? `Shall I ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}?` : `Shall I ${choices[0]}?`;
  const unsure = `I'm not sure what to do with '${title}'. Shall I add it to your tasks?`;
  const isKnown = areNew && title === undefined;
  const question = isKnown ? asked : choices.length > 1 ? `I'm not sure what you mean. ${asked}` : unsure;
  const best = offered[0]?.[0]?.slots ?? {};
  const intent = {
    name: isKnown ? 'create_task' : 'clarification_needed',
    confidence: Math.round(confidence * 100) / 100,
    parameters: isKnown ? { ...best } : {},
    clarification_question: question,
    choices,
  };
  return { text: question, intents: [intent], pending: { kind: 'offer', choices: offered } };
}

function toCreate(words: string, confidence: number, zone: Zone): Command {
  const when = extractWhen(words, zone);
  const title = unquote(when?.rest ?? words);
  const isDated = when !== undefined && !isEmptyTitle(title);
  return { action: 'create', confidence, slots: isDated ? { title, when: when.text } : { title: words } };
}

/** "gym thurs": a thing to do on that day, or a look at that day. */
function byDate(words: string, confidence: number, zone: Zone): Command[] {
  const when = extractWhen(words, zone);
  if (!when || isEmptyTitle(unquote(when.rest))) return [];
  return [toCreate(words, confidence, zone), { action: 'list', confidence, slots: { when: when.text } }];
}

/** True for a few words with a day, which may be a task: "team meeting Monday at 9". */
export function isDatedThing(text: string, zone: Zone): boolean {
  const words = stripPoliteness(text);
  const when = extractWhen(words, zone);
  const rest = when ? unquote(when.rest) : '';
  return (
    rest !== '' &&
    rest.split(/\s+/).length <= MAX_TITLE_WORDS &&
    !isEmptyTitle(rest) &&
    !/^(?:what|how|is|are|any|weather|i|you|do|does)\b/i.test(rest)
  );
}

/** "gym Monday 6am", where a list or a new task would be offered: with an hour it is something to do then. */
export function readAppointment(text: string, { pending }: PlanReply<Pending>, zone: Zone): Command | undefined {
  const actions = pending?.kind === 'offer' ? pending.choices.flat().map(({ action }) => action) : [];
  if (actions.toSorted().join() !== 'create,list') return undefined;
  const words = unquote(stripPoliteness(text));
  const when = extractWhen(words, zone);
  if (
    /^(?:make|move|set|change|put|shift|push|bring|delay|postpone|reschedule|mark|delete|remove|rename)\b/i.test(words)
  )
    return undefined;
  const isPlain = when?.hasTime && !/[?:]|\b(?:no|not|if|or|is|are|was)\b|n't\b/i.test(when.rest);
  return isPlain && isDatedThing(text, zone) ? toCreate(words, 0.7, zone) : undefined;
}

function withoutRepeats(readings: readonly Command[][]): Command[][] {
  const known = new Map(readings.toReversed().map((commands) => [describeCommands(commands), commands]));
  return [...known.values()].reverse().slice(0, MAX_CHOICES);
}

/** Commands as one sentence. */
export function describeCommands(commands: readonly Command[]): string {
  return commands.map(describeCommand).join(' and ');
}

/** "for Friday", "by Friday", "at 5". */
function withLink(when: string): string {
  const bare = when.replace(/^(?:(?:on|for|to)\s+)+/i, '');
  return /^(?:at|by|before|until|till|in|around|from)\s/i.test(bare) ? bare : `for ${bare}`;
}

/** A command as a sentence that is read back as the same command. */
function describeCommand({ action, slots }: Command): string {
  const name = (text = '') => (text.includes("'") ? `"${text}"` : `'${text}'`);
  const { title, ref, when } = slots;
  if (action === 'create') return `add ${name(title)}${when === undefined ? '' : ` ${withLink(when)}`}`;
  if (action === 'list') return when === undefined ? 'show my tasks' : `show what is due ${when}`;
  if (action === 'complete') return `mark ${name(ref)} as done`;
  if (action === 'delete') return `delete ${name(ref)}`;
  if (slots.is_completed === false) return `reopen ${name(ref)}`;
  if (title !== undefined) return `rename ${name(ref)} to ${name(title)}`;
  return when === undefined ? `change ${name(ref)}` : `move ${name(ref)} to ${when}`;
}
