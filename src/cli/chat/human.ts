import type { KnownName } from '../../schema/conversation/event.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { type Decision, declineUnasked, denyUnasked, type WaitEvent } from '../show-turn.ts';
import { terminalColors as colors } from '../terminal/colors.ts';
import { breakText } from '../terminal/spans.ts';
import type { Chat } from './chat.ts';

/** Asks the person about a call: once, always for this tool in this chat, or no, with a reason for the model. */
export async function decideCall(chat: Chat, event: WaitEvent): Promise<Decision | 'stop'> {
  const { wait, tool } = event;
  if (wait.kind !== 'approval' || !chat.front.isTerminal) return denyUnasked();
  const agreed = `${tool} ${wait.definition}`;
  if (chat.allowed.has(agreed)) return { approved: true };
  const { sent_arguments: args, names = [] } = wait;
  chat.front.print(requestText(tool, { args, names, width: chat.front.width }));
  const said = await chat.front.ask('  allow?  y once · a always for this tool · n no, or say why  ');
  if (said === undefined) return 'stop';
  if (/^a(lways)?$/i.test(said)) chat.allowed.add(agreed);
  return readDecision(said);
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

/** Shows all arguments exactly: nothing is cut, and invisible characters are written as codes. */
function requestText(tool: string, { args, names, width }: Request): string {
  const lines = exactJson(args)
    .split('\n')
    .flatMap((line) => breakText(line, width - 4));
  return [
    `  ${colors.yellow('?')} ${colors.bold(sanitizeText(tool))} wants to run with`,
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

/** Asks the question of a running tool. An answer that is valid JSON is parsed; any other is sent as text. */
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
