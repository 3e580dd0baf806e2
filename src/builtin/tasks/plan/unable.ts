import type { PlanReply } from '../../plan.ts';
import type { Pending } from '../command.ts';
import type { TaskContext } from '../context.ts';
import type { Topic } from '../plain/small-talk.ts';
import type { TaskAction, TaskToolNames } from '../task-tools.ts';

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

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const EVERY = new RegExp(
  String.raw`[\s,]*\b(?:on\s+)?(?:every|each)\s+(?:(?:other|second|single)\s+)?(?:(${WEEKDAY})s?|day|morning|afternoon|evening|night|week|weekday|weekend|month|year|(?:\d+|two|three|four|six)\s+(?:days|weeks|months|years))\b`,
  'i',
);
const OFTEN = /[\s,]+(?:daily|weekly|monthly|yearly|annually)[\s.!]*$/i;

/** A title without "every Monday", whose first day is kept. */
export function withoutRepeat(title: string): string {
  return title
    .replace(EVERY, (_, day: string | undefined) => (day === undefined ? '' : ` on ${day}`))
    .replace(OFTEN, '')
    .trim();
}

/** Wishes that task lists of other programs grant, and the next best thing. */
const WISHES: readonly [RegExp, string][] = [
  [
    /\b(?:repeat\w*|recur\w*|(?:every|each) (?:(?:other|second|single|\d+|two|three|four|six) )?(?:day|morning|evening|night|week|weekday|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|daily|weekly|monthly|yearly|annually)\b/i,
    "I can't repeat a task: it is on your list once, with one date.",
  ],
  [
    /\b(?:set an? alarm|ring me|wake me|(?:call|text|email|sms|ping|alert|notify|nudge) me\b(?! (?:back|a|the))|remind me (?:again |also )?(?:the (?:day|night|week|hour|evening|morning) before|an? (?:day|hour|week)|\d+ \w+ (?:before|earlier)|before ?(?:hand)?\b|\w+ (?:hours?|days?|minutes?) before))/i,
    "I can't ring or send messages. A chat or page that is open when a task is due shows a notice.",
  ],
  [
    /\bshare\s+.+\s+with\b|\b(?:assign|share) (?:it|this|that|them|the task|that one)\b|\bassign\s+.+\s+to\b|\binvite\s+.+\s+to (?:my|the) (?:list|task)\b/i,
    "I can't share tasks: only you see your list.",
  ],
  [/\battach(?:ments?)?\b|\badd (?:an?|the|this) (?:file|photo|picture|image)\b/i, "I can't attach files to a task."],
  [
    /\b(?:priority|priorities|prioriti[sz]e|urgent|(?:most|very|really|super) important)\b/i,
    'Tasks have no priority. They are ordered by their due date, so a date can take its place.',
  ],
  [
    /\b(?:sub-?tasks?|tags?|labels?|categor(?:y|ies)|another list|second list|new list)\b/i,
    'I keep one list of tasks, without labels or parts.',
  ],
];

/** The reason why a wish about tasks cannot be granted; undefined for anything else. */
export function whyUnable(text: string): string | undefined {
  return WISHES.find(([wish]) => wish.test(text))?.[1];
}

const PART = /[.;!?\n]+\s*|,\s+(?:and\s+)?|\s+(?:and|but)\s+/i;

/** The parts of a message that ask for what lists here do not have, each with its reason, beside what was done. */
export function readLeftOut(text: string, used: readonly string[]): { part: string; why: string }[] {
  const parts = text.split(PART).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => {
    const why = whyUnable(part);
    const isUsed = used.some(
      (words) =>
        part.toLowerCase().includes(words.toLowerCase()) || words.toLowerCase().includes(part.trim().toLowerCase()),
    );
    const [said = part] = isUsed ? (WISHES.find(([wish]) => wish.test(part))?.[0].exec(part) ?? []) : [];
    const inTitle = isUsed && used.some((words) => words.toLowerCase().includes(said.toLowerCase()));
    return why === undefined || inTitle ? [] : [{ part: said.trim(), why }];
  });
}
