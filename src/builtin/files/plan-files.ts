import { cleanText, stripPoliteness } from '../../language/clean-text.ts';
import type { ToolDefinition } from '../../models/model.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CallRecord, Outcome, TurnView } from '../conversation.ts';
import type { Plan, PlanReply } from '../plan.ts';
import { describeOutcome } from '../tools/describe-result.ts';
import { type AttachedFile, READ_ATTACHMENT, readAttachedFiles } from './attached-files.ts';
import { chooseFiles, hasHint, scoreName } from './choose-files.ts';
import { describePage, describePassages, type FilePage, pageChars, readPage } from './describe-file.ts';

/** More files than this are read only if the user asks for all. */
const MAX_UNASKED = 3;
const MAX_READ_CHARS = 1_000;
const ALL = /\b(?:all|both|each|every|everything|them|these|those|they|files|attachments|documents)\b/i;

export interface FileTurn {
  /** True if the message is clearly about files. */
  isAsked: boolean;
  /** True if it brought files: it is then about them unless it is about something else. */
  hasBrought: boolean;
  plan(): Plan;
}

/** The plan for the files of a conversation; undefined if there are none. */
export function readFileTurn(turns: readonly TurnView[], tools: readonly ToolDefinition[]): FileTurn | undefined {
  const files = readAttachedFiles(turns, tools);
  const text = (turns.at(-1)?.message.content ?? '').slice(0, MAX_READ_CHARS);
  if (files.length === 0) return undefined;
  const topic = findTopic(turns, files);
  const past = turns.slice(0, -1);
  const isRightAfter = filesRead(past.at(-1)).length > 0;
  const read = past.findLast((turn) => filesRead(turn).length > 0);
  const hasBrought = topic.brought.length > 0;
  if (read && !hasBrought && asksToReadOn(text, isRightAfter)) {
    return { isAsked: true, hasBrought, plan: () => planReadingOn(read) };
  }
  const isAnswer = past.at(-1)?.reply === askWhich(topic.near) && (hasHint(text, topic.near) || ALL.test(text));
  const isReadable = tools.length === 0 || tools.some((tool) => tool.name === READ_ATTACHMENT);
  return {
    isAsked: isAnswer || asksAboutFiles(text, topic),
    hasBrought,
    plan: () => (isReadable ? planReading(text, topic) : planUnread(topic.near)),
  };
}

function findTopic(turns: readonly TurnView[], files: readonly AttachedFile[]): FileTopic {
  const current = turns.length - 1;
  const brought = files.filter((file) => file.turn === current);
  if (brought.length > 0) return { files, brought, near: brought };
  const read = filesRead(turns.at(-2)).map((record) => record.arguments.file);
  const near = files.filter((file) => (read.length > 0 ? read.includes(file.number) : file.turn === current - 1));
  return { files, brought, near };
}

function filesRead(turn: TurnView | undefined): CallRecord[] {
  return (turn?.records ?? []).filter((record) => record.name === READ_ATTACHMENT);
}

function* planReading(text: string, { files, near }: FileTopic): Plan {
  const asked = toAsked(text);
  const newest = files.filter((file) => file.turn === files.at(-1)?.turn);
  const pool = near.length > 0 ? near : newest;
  const chosen = chooseFiles(asked, pool, files);
  if (chosen.length > MAX_UNASKED && !ALL.test(asked)) return ask(askWhich(chosen));
  const find = readWanted(text);
  const calls = chosen.map((file): JsonObject => ({ file: file.number, ...(find !== undefined && { find }) }));
  return yield* readAll(calls);
}

/** Continues after the part that an earlier turn showed. */
function* planReadingOn(turn: TurnView): Plan {
  const records = filesRead(turn);
  const pages = records.map((record) =>
    readPage(record.outcome, offsetOf(record.arguments), pageChars(records.length)),
  );
  const calls = records.flatMap((record, index): JsonObject[] => {
    const next = pages[index]?.next;
    return next === undefined ? [] : [{ ...record.arguments, offset: next }];
  });
  if (calls.length > 0) return yield* readAll(calls);
  const names = pages.flatMap((page) => page?.filename ?? []);
  return say(`That was all${names.length > 0 ? ` of ${joinNames(names)}` : ''}.`, {});
}

function* readAll(calls: readonly JsonObject[]): Plan {
  const outcomes = yield calls.map((args) => ({ name: READ_ATTACHMENT, arguments: args }));
  return say(describeFiles(calls, outcomes), calls[0] ?? {});
}

/** Describes the results of reading calls, each under its file's name. */
export function describeFiles(calls: readonly JsonObject[], outcomes: readonly Outcome[]): string {
  const pages = outcomes.map((outcome, index) => readPage(outcome, offsetOf(calls[index]), pageChars(calls.length)));
  const parts = outcomes.map((outcome, index) => describePart(outcome, pages[index], calls[index] ?? {}));
  const open = pages.flatMap((page) => (page?.next === undefined ? [] : page.filename));
  const whose = outcomes.length > 1 ? ` of ${joinNames(open)}` : '';
  return [...parts, ...(open.length > 0 ? [`There is more${whose}; ask me to read on.`] : [])].join('\n\n');
}

function describePart(outcome: Outcome, page: FilePage | undefined, args: JsonObject): string {
  if (page) return describePage(page, offsetOf(args));
  return typeof args.find === 'string' ? describePassages(outcome, args.find) : describeOutcome(outcome);
}

/** Used if no file of the conversation has any text. */
function* planUnread(files: readonly AttachedFile[]): Plan {
  return say(`I couldn't read ${joinNames(files.map((file) => file.filename))}.`, {});
}

function askWhich(files: readonly AttachedFile[]): string {
  return `There are ${files.length} files: ${joinNames(files.map((file) => file.filename))}. Which one should I read?`;
}

function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? 'the file';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}

function offsetOf(args: JsonObject | undefined): number {
  return typeof args?.offset === 'number' ? args.offset : 0;
}

function ask(question: string): PlanReply {
  const intent = { name: 'clarification_needed', confidence: 0.9, parameters: {}, clarification_question: question };
  return { text: question, intents: [intent] };
}

function say(text: string, parameters: JsonObject): PlanReply {
  return { text, intents: [{ name: READ_ATTACHMENT, confidence: 0.9, parameters }] };
}

const pattern = (source: string) => new RegExp(source, 'is');
const IT = `(?:(?:all|both|each)(?: of (?:it|them|these|those))?|it|this|that|these|those|them|they|everything)`;
const TELL = String.raw`(?:(?:and|so|then)\s+)?(?:(?:tell|show) (?:me|us) )?`;
const READ_IT = pattern(
  String.raw`^(?:read|open|summari[sz]e|sum up|describe|explain|transcribe|view|look at|go through|tell me about|show(?: me)?(?= (?:it|this|that)\b))(?: me| us)?(?: out| aloud)?(?: ${IT})?(?: (?:out|aloud|to me|to us|for me|for us|all|both|over|again))*$`,
);
const WHAT_IT_SAYS = pattern(
  `^${TELL}what(?:'s| is| are| was| does| do| did)? ${IT}(?: all)?(?: (?:says?|said|means?|contains?|about|reads?|shows?|is|are|for|tells?))?(?: (?:about|regarding|on) .+| me| us| here| there| all)*$`,
);
const WHAT_IS_IN_IT = pattern(
  `^${TELL}what(?:'s| is| was| stands?)(?: written)? (?:(?:in|inside|on)(?: ${IT}| there| here)|inside|written)(?: there| here)?$`,
);
const FILE_WORD = /\b(?:files?|attachments?|attached|documents?)\b/i;
const READING =
  /^(?:read|open|show|summari[sz]e|sum up|describe|explain|transcribe|quote|view|compare|look at|look in|go through|find|search|tell (?:me|us)|give (?:me|us))\b/i;
const QUESTION =
  /^(?:and |so )?(?:what|what's|which|who|who's|whose|when|where|how|why|is|are|was|were|does|do|did|has|have|can|could)\b/i;
const ABOUT_TEXT =
  /\b(?:say|says|said|state|states|contain|contains|mean|means|mention|mentions|inside|written|text|content|contents|about|show|shows|read|in the)\b/i;
/** Something to do later, not a question now. */
const LATER = /\b(?:tomorrow|tonight|later|next (?:week|month)|(?:by|on|before|until) \w+day)\W*$/i;
const OWN_TASKS = /\bmy (?:\w+ )?(?:tasks?|to-?dos?|list|reminders?)\b|\bi (?:need|have|got) to do\b/i;
const READ_ON =
  /^(?:(?:read|go|carry) on|(?:continue|keep)(?: (?:reading|going))|read (?:more|further|the rest)|(?:show|tell|give) me (?:more|the rest))(?: (?:of|in|with) .+)?$/i;
const MORE = /^(?:more|continue|next(?: page)?|and then|the rest|what else|what's next)$/i;
const FIND = /^(?:find|search(?: for)?|look for|look up)\s+(?:the (?:word|text|passage)s?\s+)?(.+?)\s+in\s+.+$/i;

interface FileTopic {
  files: readonly AttachedFile[];
  /** The files of this message. */
  brought: readonly AttachedFile[];
  /** The files that this message or the previous one was about. */
  near: readonly AttachedFile[];
}

/** The question without politeness and closing marks. */
function toAsked(text: string): string {
  return stripPoliteness(cleanText(text)).replace(/[\s.!?]+$/, '');
}

/** True if a message is clearly about files: it refers to a near one, or names one and asks to read it. */
function asksAboutFiles(text: string, { files, brought, near }: FileTopic): boolean {
  const asked = toAsked(text);
  if (LATER.test(asked) || OWN_TASKS.test(asked)) return false;
  if (READ_IT.test(asked) || WHAT_IT_SAYS.test(asked) || WHAT_IS_IN_IT.test(asked)) return near.length > 0;
  const isNamed = FILE_WORD.test(asked) || hasHint(asked, near) || files.some((file) => scoreName(file, asked) > 0);
  if (!isNamed) return false;
  return READING.test(asked) || (QUESTION.test(asked) && (brought.length > 0 || ABOUT_TEXT.test(asked)));
}

/** "read on" works whenever something was read; "more" only right after it. */
function asksToReadOn(text: string, isRightAfter: boolean): boolean {
  const asked = toAsked(text);
  return READ_ON.test(asked) || (isRightAfter && MORE.test(asked));
}

/** The text to find in a file: "find the deposit in the contract". */
function readWanted(text: string): string | undefined {
  return FIND.exec(toAsked(text))?.[1]?.replace(/^(?:the|a|an)\s+|["']/gi, '');
}
