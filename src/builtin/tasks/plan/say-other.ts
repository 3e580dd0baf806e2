import type { PlanReply } from '../../plan.ts';
import type { Pending } from '../command.ts';
import type { TaskContext } from '../context.ts';
import type { Topic } from '../plain/small-talk.ts';
import type { TaskAction, TaskToolNames } from '../task-tools.ts';
import { whyUnable } from './unable.ts';

/** Said once, where two messages in a row were about something else. */
const ANOTHER_MODEL =
  'I only know tasks. A language model answers more: holodeck use google/gemini-2.5-flash, or ollama and a model of yours.';

/** Answers a message that neither changes nor shows tasks. `remark`: it was about the user's life, and nothing was asked. */
export function sayOther(topic: Topic | 'remark', context: TaskContext): PlanReply<Pending> {
  const { intents, names, text, memory } = context;
  const help = intents.unknown?.reply ?? 'I can only help with your tasks.';
  const isAgain = memory.replies.at(-1)?.includes(help) && !memory.replies.some((reply) => reply.includes('--model'));
  const unknown = whyUnable(text) ?? (isAgain ? `${help} ${ANOTHER_MODEL}` : help);
  const texts = {
    greeting: `Hello! ${help}`,
    thanks: "You're welcome!",
    others: 'I can only see and change your own tasks.',
    help: describeHelp(names),
    answer: 'There is nothing to confirm right now. Tell me what to do with your tasks, or say "help".',
    forbidden: "All right, I've left your tasks as they are.",
    remark: `I've left your tasks as they are. ${help}`,
    unknown,
  };
  const confidence = topic === 'unknown' || topic === 'remark' ? 0.5 : 0.95;
  return { text: texts[topic], intents: [{ name: 'unknown', confidence, parameters: {} }] };
}

const EXAMPLES: Readonly<Record<TaskAction, string>> = {
  create: 'add: "remind me to buy milk tomorrow"',
  list: 'see: "what do I need to do this week?"',
  complete: 'complete: "mark milk as done", "I called the dentist"',
  update: 'change: "move milk to Friday", "rename milk to oat milk", "reopen milk"',
  delete: 'delete: "delete milk", "delete all completed tasks"',
};

/** Example sentences for users who ask for help. */
function describeHelp(names: TaskToolNames): string {
  const actions = (Object.keys(EXAMPLES) as TaskAction[]).filter((action) => names[action] !== undefined);
  const lines = actions.map((action) => `- ${EXAMPLES[action]}`);
  return ['I keep your task list. Here is what you can say:', ...lines, 'And "undo" takes the last change back.'].join(
    '\n',
  );
}
