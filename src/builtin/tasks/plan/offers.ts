import { unquote } from '../../../language/clean-text.ts';
import { withoutCourtesy } from '../../../language/filler-words.ts';
import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { PlanReply } from '../../plan.ts';
import type { Command, Pending } from '../command.ts';
import { isEmptyTitle } from '../plain/add-forms.ts';

const MAX_CHOICES = 3;

/** Words that could be a task, without saying what to do: they are offered as one, or as a look at their day. */
export function offerWords(text: string, zone: Zone): PlanReply<Pending> {
  const title = unquote(withoutCourtesy(text).words) || text;
  const when = extractWhen(title, zone);
  const rest = when ? unquote(when.rest) : '';
  const isDated = when !== undefined && !isEmptyTitle(rest);
  const create: Command = {
    action: 'create',
    confidence: 0.5,
    evidence: 'unlikely',
    slots: isDated ? { title: rest, when: when.text } : { title },
  };
  const list: Command = { ...create, action: 'list', slots: { when: when?.text ?? '' } };
  return offerChoices(isDated ? [[create], [list]] : [[create]], title);
}

/** Asks which of some readings is meant, each of one command or several. `title`: words of which not even the intent is sure. */
export function offerChoices(readings: readonly Command[][], title?: string): PlanReply<Pending> {
  const offered = readings.slice(0, MAX_CHOICES);
  const choices = offered.map(describeCommands);
  const areNew = offered.flat().every(({ action }) => action === 'create');
  const asked =
    choices.length > 1 ? `Shall I ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}?` : `Shall I ${choices[0]}?`;
  const unsure = `I'm not sure what to do with '${title}'. Shall I add it to your tasks?`;
  const isKnown = areNew && title === undefined;
  const question = isKnown ? asked : choices.length > 1 ? `I'm not sure what you mean. ${asked}` : unsure;
  const [best] = offered[0] ?? [];
  const intent = {
    name: isKnown ? 'create_task' : 'clarification_needed',
    confidence: Math.round((best?.confidence ?? 0.5) * 100) / 100,
    parameters: isKnown && best ? { ...best.slots } : {},
    clarification_question: question,
    choices,
  };
  return { text: question, intents: [intent], pending: { kind: 'offer', choices: offered } };
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
