import { keptMessages } from '../agent/prompt.ts';
import { checkValue, JSON_WORDS } from '../config/describe-issue.ts';
import { formatPath, type Path } from '../config/problem.ts';
import { AppError, invalidRequest, type Problem } from '../errors.ts';
import type { Limits } from '../schema/agent.ts';
import { EarlierMessage } from '../schema/earlier-message.ts';
import type { AssistantMessage, UserMessage } from '../schema/message.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { cleanUserText } from '../schema/user-text.ts';
import type { SeedTurn } from '../store/store.ts';

/** Messages that a caller says came before: plain text, without calls or metadata of the caller's. */
export interface CallerHistory {
  messages: (UserMessage | AssistantMessage)[];
  /** For the user: what was left out. */
  notices: string[];
}

export interface HistoryOptions {
  limits: Pick<Limits, 'history_messages' | 'message_chars'>;
  at: string;
}

/** Parts of a caller's history that are left out and counted: no call of ours backs them, so they are never evidence. */
interface LeftOut {
  calls: number;
  results: number;
  system: number;
  unusable: number;
}

const MAX_PROBLEMS = 20;
/** A client sends everything that was ever said; older entries would be cut anyway and are not looked at. */
export const MAX_TAKEN = 2_000;

/** Reads history that a program gives. Throws `invalid_request` with `history[3].role` and what is wrong there. */
export function readHistory(given: unknown, options: HistoryOptions): CallerHistory {
  if (given === undefined || given === null) return { messages: [], notices: [] };
  if (!Array.isArray(given)) throw invalidRequest([{ path: 'history', message: 'must be a list of messages' }]);
  const problems: Problem[] = [];
  const leftOut: LeftOut = { calls: 0, results: 0, system: 0, unusable: 0 };
  const messages = given.flatMap((entry: unknown, index) => {
    const read = readMessage(entry, ['history', index], options);
    if ('problems' in read) problems.push(...read.problems);
    return 'problems' in read ? [] : toText(read.message, leftOut, options);
  });
  if (problems.length > 0) throw invalidRequest(problems.slice(0, MAX_PROBLEMS));
  return cut(messages, leftOut, options);
}

/** Reads history that a front's client sends along: what cannot be used is left out, never a fault of the request. */
export function takeHistory(given: readonly unknown[], options: HistoryOptions): CallerHistory {
  const leftOut: LeftOut = { calls: 0, results: 0, system: 0, unusable: 0 };
  const messages = given.slice(-MAX_TAKEN).flatMap((entry) => {
    const read = readMessage(entry, [], options);
    if (!('problems' in read)) return toText(read.message, leftOut, options);
    if (isSystem(entry)) leftOut.system++;
    else leftOut.unusable++;
    return [];
  });
  return cut(messages, leftOut, options);
}

/** The messages as turns, each from a user's message on. */
export function toSeed(messages: CallerHistory['messages']): SeedTurn[] {
  const turns: { turnId: string; messages: CallerHistory['messages'] }[] = [];
  for (const message of messages) {
    if (message.role === 'user') turns.push({ turnId: newUlid(), messages: [] });
    turns.at(-1)?.messages.push(message);
  }
  return turns;
}

type Read = { message: EarlierMessage } | { problems: Problem[] };

/** A message that passes the schema, and of a user the same checks as every user's text. */
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

function toText(message: EarlierMessage, leftOut: LeftOut, { at }: HistoryOptions): CallerHistory['messages'] {
  const base = { id: newUlid(), timestamp: at, metadata: { seeded: true } };
  if (message.role === 'user') {
    const { content, client_id } = message;
    return [{ ...base, role: 'user', content, ...(client_id !== undefined && { client_id }) }];
  }
  if (message.role === 'tool') {
    leftOut.results++;
    return [];
  }
  leftOut.calls += message.tool_calls?.length ?? 0;
  const content = message.content.toWellFormed().trim();
  return content === '' ? [] : [{ ...base, role: 'assistant', content }];
}

function isSystem(entry: unknown): boolean {
  const role = typeof entry === 'object' && entry !== null && 'role' in entry ? entry.role : undefined;
  return role === 'system' || role === 'developer';
}

/** The newest messages, as many as a stored conversation would send, from a user's message on. */
function cut(
  messages: CallerHistory['messages'],
  leftOut: LeftOut,
  { limits: { history_messages } }: HistoryOptions,
): CallerHistory {
  // The message that comes now counts too.
  const kept = keptMessages(messages.length + 1, history_messages) - 1;
  const newest = kept > 0 ? messages.slice(-kept) : [];
  const start = newest.findIndex(({ role }) => role === 'user');
  return { messages: start === -1 ? [] : newest.slice(start), notices: describe(leftOut) };
}

function describe({ calls, results, system, unusable }: LeftOut): string[] {
  const parts = [
    count(calls, 'tool call'),
    count(results, 'tool result'),
    count(system, 'system message'),
    count(unusable, 'message that cannot be read', 'messages that cannot be read'),
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  return [`History counts as text of user and assistant only. Left out of it: ${parts.join(', ')}.`];
}

function count(number: number, one: string, many = `${one}s`): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`;
}
