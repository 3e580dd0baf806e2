import type { Plan, PlanReply } from '../../plan.ts';
import type { Command, Done, Pending } from '../command.ts';
import type { TaskContext, Work } from '../context.ts';
import { planChange } from './plan-change.ts';
import { planCreate } from './plan-create.ts';
import { planLookup } from './plan-lookup.ts';
import { planReverse } from './plan-undo.ts';
import { readLeftOut } from './unable.ts';

const UNDO_HINT = 'Say "undo" to take it back.';

/** Runs all commands in order. One question is asked; commands that need another one wait for its answer. */
export function* runCommands(
  commands: readonly Command[],
  context: TaskContext,
  before: readonly string[] = [],
): Plan<Pending> {
  const results: Done[] = [];
  const next: Command[] = [];
  let open: Pending | undefined;
  for (const command of commands) {
    const result = yield* runCommand(command, context);
    if (open && result.pending) {
      next.push(command);
      continue;
    }
    open ??= result.pending;
    results.push(result);
  }
  const question = results.find(({ pending }) => pending);
  const ordered = question ? [...results.filter((result) => result !== question), question] : results;
  const hints = hintsFor(commands, results, context);
  const lines = [...before, ...ordered.map(({ text }) => text)];
  const text = question
    ? [...lines.slice(0, -1), ...hints, lines.at(-1)].join('\n')
    : [lines.join('\n'), ...hints].join(' ');
  const pending = open && { ...open, ...(next.length > 0 && { next }) };
  return { text, intents: results.map(({ intent }) => intent), pending };
}

function* runCommand(command: Command, context: TaskContext): Work<Done> {
  switch (command.action) {
    case 'create':
      return yield* planCreate(command, context);
    case 'list':
      return yield* planLookup(command, context);
    case 'undo':
    case 'dismiss':
    case 'restore':
      return yield* planReverse({ ...command, action: command.action }, context);
    default:
      return yield* planChange({ ...command, action: command.action }, context);
  }
}

/** Parts of the message that were left out, and once in a conversation how to take a change back. */
function hintsFor(commands: readonly Command[], results: readonly Done[], { text, memory }: TaskContext): string[] {
  const isNew = (hint: string) => !memory.replies.some((reply) => reply.includes(hint));
  const isDone = results.some(({ changed }) => changed);
  if (!isDone) return [];
  const used = commands.flatMap(({ slots: { title, ref, description } }) =>
    [title, ref, description].filter((part) => part !== undefined),
  );
  const left = readLeftOut(text, used).map(({ part, why }) => `I left out: ${part}.${isNew(why) ? ` ${why}` : ''}`);
  const isGuessed = commands.some(({ evidence }) => evidence === 'likely') && isNew(UNDO_HINT);
  return [...left, ...(isGuessed ? [UNDO_HINT] : [])];
}

/** A single result as the end of a plan. */
export function toReply({ text, intent, pending }: Done): PlanReply<Pending> {
  return { text, intents: [intent], pending };
}
