import type { Json, JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { type Decision, declineUnasked, denyUnasked, type WaitEvent } from '../show-turn.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { breakText } from '../terminal/spans.ts';
import type { Chat } from './chat.ts';
import { findKnownNames, type KnownName } from './known-names.ts';

const SEARCHED_MESSAGES = 100;

/** The person decides about a call: this once, always for this tool in this chat, or no, with a reason for the model. */
export async function decideCall(chat: Chat, event: WaitEvent): Promise<Decision | 'stop'> {
  const { wait, tool } = event;
  if (wait.kind !== 'approval' || !chat.front.isTerminal) return denyUnasked();
  const agreed = `${tool} ${wait.definition}`;
  if (chat.allowed.has(agreed)) return { approved: true };
  const names = await knownNames(chat, wait.sent_arguments);
  chat.front.print(requestText(tool, { args: wait.sent_arguments, names, width: chat.front.width }));
  const said = await chat.front.ask('  allow?  y once · a always for this tool · n no, or say why  ');
  if (said === undefined) return 'stop';
  if (/^a(lways)?$/i.test(said)) chat.allowed.add(agreed);
  return readDecision(said);
}

/** A person cannot tell ids apart. */
async function knownNames({ runtime, user, conversationId }: Chat, args: JsonObject): Promise<KnownName[]> {
  if (!conversationId) return [];
  return findKnownNames(args, await runtime.readMessages(user, conversationId, { last: SEARCHED_MESSAGES }));
}

export function readDecision(said: string): Decision {
  if (/^(y(es)?|a(lways)?|once)$/i.test(said)) return { approved: true };
  const reason = said
    .replace(/^no?\b[\s,:]*/i, '')
    .replace(/^because\b\s*/i, '')
    .trim();
  return reason === '' ? { approved: false } : { approved: false, reason };
}

interface Request {
  args: JsonObject;
  names: readonly KnownName[];
  width: number;
}

/** Everything that would be sent, whatever it holds: nothing is cut, and what cannot be seen is written as a code. */
function requestText(tool: string, { args, names, width }: Request): string {
  const lines = exactJson(args)
    .split('\n')
    .flatMap((line) => breakText(line, width - 4));
  return [
    `  ${colors.yellow('?')} ${colors.bold(sanitizeText(tool))} asks to run with`,
    ...lines.map((line) => `    ${line}`),
    ...names.map(({ argument, name, tool: source }) => {
      return `    ${sanitizeText(argument)} is ${colors.bold(JSON.stringify(name))}, says ${sanitizeText(source)}`;
    }),
  ].join('\n');
}

const UNSEEN =
  /\p{C}|\p{Zl}|\p{Zp}|\u034f|[\u115f\u1160\u17b4\u17b5]|[\u180b-\u180f]|[\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

export function exactJson(value: Json): string {
  const code = (character: string) =>
    character === '\n' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(value, null, 2).replace(UNSEEN, code);
}

/** A tool asks in the middle of its work. A form is answered as JSON; anything else is the one value. */
export async function replyToCall(chat: Chat, { wait, tool }: WaitEvent): Promise<Json | undefined> {
  if (wait.kind !== 'input' || !chat.front.isTerminal) return declineUnasked();
  chat.front.print(`  ${colors.yellow('?')} ${sanitizeText(tool)} asks: ${sanitizeText(wait.question)}`);
  const said = await chat.front.ask('  answer (empty = decline)  ');
  if (said === undefined || said === '') return undefined;
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}
