import { keptMessages } from '../../agent/prompt.ts';
import { AppError, invalidRequest, type Problem } from '../../errors.ts';
import type { Ids } from '../../ids.ts';
import type { Limits } from '../../schema/agent.ts';
import { EarlierMessage } from '../../schema/conversation/chat.ts';
import type { AssistantMessage, UserMessage } from '../../schema/conversation/message.ts';
import { cleanUserText } from '../../schema/user-text.ts';
import type { SeedTurn } from '../../store/store.ts';
import { checkValue, JSON_WORDS } from '../../yaml/describe-issue.ts';
import { formatPath, type Path } from '../../yaml/problem.ts';

/** Earlier messages supplied by a caller: plain text, without the caller's calls or metadata. */
export interface CallerHistory {
  messages: (UserMessage | AssistantMessage)[];
  /** Notices to the user about parts that were left out. */
  notices: string[];
}

export interface HistoryOptions {
  limits: Pick<Limits, 'history_messages' | 'message_chars'>;
  at: string;
  ids: Ids;
}

/** Counts of parts that are left out of a caller's history. No call of ours backs them, so they are never evidence. */
interface LeftOut {
  calls: number;
  results: number;
  system: number;
  unusable: number;
}

/** The text of a message that is kept. */
type Text = Pick<UserMessage, 'role' | 'content' | 'client_id'> | Pick<AssistantMessage, 'role' | 'content'>;

const MAX_PROBLEMS = 20;
/** A client sends its whole history. Entries older than this would be cut anyway and are not parsed. */
export const MAX_TAKEN = 2_000;

/** Reads history from a program. Throws `invalid_request` with a path such as `history[3].role` and the reason. */
export function readHistory(given: unknown, options: HistoryOptions): CallerHistory {
  if (given === undefined || given === null) return { messages: [], notices: [] };
  if (!Array.isArray(given)) throw invalidRequest([{ path: 'history', message: 'must be a list of messages' }]);
  const problems: Problem[] = [];
  const leftOut: LeftOut = { calls: 0, results: 0, system: 0, unusable: 0 };
  const messages = given.flatMap((entry: unknown, index) => {
    if (isSystem(entry)) {
      leftOut.system++;
      return [];
    }
    const read = readMessage(entry, ['history', index], options);
    if ('problems' in read) problems.push(...read.problems);
    return 'problems' in read ? [] : toText(read.message, leftOut);
  });
  if (problems.length > 0) throw invalidRequest(problems.slice(0, MAX_PROBLEMS));
  return cut(messages, { older: 0, leftOut, options });
}

/**
 * Reads history that a front's client sends along. Unusable entries are left out; they never fail the request. A client
 * sends all of its messages with each request, so only the newest ones, which are kept, are parsed and counted in notices.
 */
export function takeHistory(given: readonly unknown[], options: HistoryOptions): CallerHistory {
  const leftOut: LeftOut = { calls: 0, results: 0, system: 0, unusable: 0 };
  const newestFirst: Text[] = [];
  let older = 0;
  for (const entry of given.slice(-MAX_TAKEN).reverse()) {
    if (newestFirst.length >= options.limits.history_messages) {
      if (isTalk(entry)) older++;
      continue;
    }
    const read = readMessage(entry, [], options);
    if (!('problems' in read)) newestFirst.push(...toText(read.message, leftOut));
    else if (isSystem(entry)) leftOut.system++;
    else leftOut.unusable++;
  }
  return cut(newestFirst.reverse(), { older, leftOut, options });
}

/** Groups the messages into turns, each starting with a user message. */
export function toSeed(messages: CallerHistory['messages'], ids: Ids): SeedTurn[] {
  const turns: { turnId: string; messages: CallerHistory['messages'] }[] = [];
  for (const message of messages) {
    if (message.role === 'user') turns.push({ turnId: ids.ulid(), messages: [] });
    turns.at(-1)?.messages.push(message);
  }
  return turns;
}

type Read = { message: EarlierMessage } | { problems: Problem[] };

/** Checks a message against the schema; user messages also pass the usual text checks. */
function readMessage(entry: unknown, path: Path, { limits }: HistoryOptions): Read {
  const { data, findings } = checkValue(EarlierMessage, entry, { path, words: JSON_WORDS, maxFindings: MAX_PROBLEMS });
  if (!data) return { problems: findings.map((found) => ({ path: formatPath(found.path), message: found.message })) };
  if (data.role !== 'user') return { message: data };
  try {
    return { message: { ...data, content: cleanUserText(data.content, limits.message_chars) } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      problems: error.problems.map(({ message }) => ({ path: formatPath([...path, 'content']), message })),
    };
  }
}

function toText(message: EarlierMessage, leftOut: LeftOut): Text[] {
  if (message.role === 'user') {
    const { role, content, client_id } = message;
    return [{ role, content, ...(client_id !== undefined && { client_id }) }];
  }
  if (message.role === 'tool') {
    leftOut.results++;
    return [];
  }
  leftOut.calls += message.tool_calls?.length ?? 0;
  const content = message.content.toWellFormed().trim();
  return content === '' ? [] : [{ role: 'assistant', content }];
}

function roleOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'role' in entry ? entry.role : undefined;
}

function isSystem(entry: unknown): boolean {
  return roleOf(entry) === 'system' || roleOf(entry) === 'developer';
}

/** A message of the user or the assistant that would count, by a cheap look at its text. */
function isTalk(entry: unknown): boolean {
  if (roleOf(entry) === 'user') return true;
  const text = typeof entry === 'object' && entry !== null && 'content' in entry ? entry.content : undefined;
  return roleOf(entry) === 'assistant' && (typeof text !== 'string' || text.trim() !== '');
}

interface CutOptions {
  /** The number of messages before these. */
  older: number;
  leftOut: LeftOut;
  options: HistoryOptions;
}

/** The newest messages, as many as a stored conversation would send, starting with a user message. */
function cut(texts: readonly Text[], { older, leftOut, options }: CutOptions): CallerHistory {
  const { limits, at, ids } = options;
  // The current message counts too.
  const kept = keptMessages(older + texts.length + 1, limits.history_messages) - 1;
  const newest = kept > 0 ? texts.slice(-kept) : [];
  const start = newest.findIndex(({ role }) => role === 'user');
  const messages = start === -1 ? [] : newest.slice(start);
  return {
    messages: messages.map((text) => ({ ...text, id: ids.ulid(), timestamp: at, metadata: { seeded: true } })),
    notices: describe(leftOut),
  };
}

function describe({ calls, results, system, unusable }: LeftOut): string[] {
  const parts = [
    count(calls, 'tool call'),
    count(results, 'tool result'),
    count(system, 'system message'),
    count(unusable, 'message that cannot be read', 'messages that cannot be read'),
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  return [`Only text of user and assistant is taken from the history. Left out: ${parts.join(', ')}.`];
}

function count(number: number, one: string, many = `${one}s`): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`;
}
