import type { AnswerReaders } from '../agent/running-turn.ts';
import { outcomeText } from '../agent/tool-message.ts';
import type { HeldDraft, TurnState } from '../agent/turn-state.ts';
import { AppError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Agent } from '../schema/agent.ts';
import { CHARS_PER_TOKEN } from '../schema/conversation/token-usage.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { isObject, type JsonObject, parseJson } from '../schema/json.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { offerTools } from '../tools/offer.ts';
import { cutText, sanitizeText } from '../tools/sanitize.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { memberName } from './member-name.ts';
import { ANSWER, MESSAGE, RESULT_CHARS, verdictOf } from './verdict.ts';

const TASK =
  'An answer to a user is ready and not sent yet. Read it with the message and the results below. Reply with keep: true if ' +
  'it may be sent as it is. Otherwise reply with keep: false, the whole answer to send in its place, and a note on what was wrong.';

/** The share of the member's context that the message and the answer may take; results take some more. */
const ANSWER_SHARE = 1 / 4;

interface ReadersOptions {
  /** The agent that has the conversation, then the one that it began with. */
  agents: ReadonlySet<Agent>;
  state: TurnState;
  /** The JSON Schema of the answer. */
  format: JsonObject | undefined;
  ids: Ids;
}

interface Reader {
  member: Agent;
  required: boolean;
  tool: string;
}

/** The members in `then` of these agents. */
export function createReaders(options: ReadersOptions): AnswerReaders {
  const first = [...options.agents].at(-1)?.name ?? '';
  const readers = [...options.agents].flatMap(({ then = [], members }) =>
    then.flatMap(({ agent, required }): Reader[] => {
      const member = members?.[agent];
      const path = member?.name.slice(first.length + 1).replaceAll('/', '_');
      return member ? [{ member, required, tool: `check_by_${path}` }] : [];
    }),
  );
  return {
    tools: offerTools(readers.map((reader) => toTool(reader, options))).offered,
    next(draft, calls) {
      const next = readers[draft.reads.length];
      const isWithheld = outcomesOf(draft, readers, calls).some(({ refusal }) => refusal !== undefined);
      if (!next || isWithheld) return undefined;
      const id = `call_${options.ids.ulid()}`;
      return { id, name: next.tool, arguments: {}, state: 'pending', reads_answer: true };
    },
    decide(draft, calls) {
      const outcomes = outcomesOf(draft, readers, calls);
      const detail = outcomes.find(({ refusal }) => refusal !== undefined)?.refusal;
      if (detail !== undefined) throw new AppError('answer_withheld', { detail });
      const warning = outcomes.flatMap((one) => one.warning ?? []).join(' ');
      const reasons = outcomes.flatMap((one) => one.reason ?? []);
      return { text: textOf(draft), reasons, ...(warning && { warning }) };
    },
  };
}

/** The text that the members before have left. */
function textOf({ message, reads }: HeldDraft): string {
  return reads.findLast(({ answer }) => answer !== undefined)?.answer ?? message.content;
}

interface Outcome {
  /** Why nothing is sent. */
  refusal?: string;
  warning?: string;
  /** Why another text is sent. */
  reason?: string;
}

function outcomesOf({ reads }: HeldDraft, readers: readonly Reader[], calls: readonly ToolCall[]): Outcome[] {
  return readers.flatMap(({ member, required }, index): Outcome[] => {
    const read = reads[index];
    const call = calls.find(({ id }) => id === read?.id);
    if (!read || !call) return [];
    const name = memberName(member.name);
    const { result = null, error } = call;
    if (error) {
      const warning = `${name} could not check this answer: ${error.message}`;
      return [required ? { refusal: `${warning} It is not sent. Please try again.` } : { warning }];
    }
    if (isObject(result) && result.keep === true) return [{}];
    const note = isObject(result) && typeof result.note === 'string' ? result.note : 'it gave no reason';
    if (read.answer === undefined) return [{ refusal: `${name} did not let this answer pass: ${note}` }];
    return [{ reason: `${name}: ${note}` }];
  });
}

function toTool({ member, tool }: Reader, { state, format }: ReadersOptions): Tool {
  const name = memberName(member.name);
  return {
    name: tool,
    description: `${name} reads the answer before it is sent.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    source: 'team',
    resumable: true,
    async run(_, { delegate }) {
      const { draft } = state;
      if (!delegate || !draft) return failed('there is no answer to read.');
      const message = state.messages.find(({ role }) => role === 'user')?.content ?? '';
      const answer = textOf(draft);
      const room = modelLimits(member).context_tokens * CHARS_PER_TOKEN * ANSWER_SHARE;
      if (message.length + answer.length > room) return failed(`it is too long for ${name}.`);
      const results = state.calls.flatMap((call) => {
        const value = cutText(outcomeText(call), RESULT_CHARS);
        const description = `Result of ${call.name} ${JSON.stringify(call.arguments)}`;
        return call.reads_answer ? [] : [{ description, value }];
      });
      const material = [{ description: MESSAGE, value: message }, { description: ANSWER, value: answer }, ...results];
      const task = { agent: member.name, message: TASK, material, responseFormat: verdictOf(format) };
      const outcome = await delegate(task);
      return 'result' in outcome ? readVerdict(outcome) : outcome;
    },
  };
}

/** The verdict is the call's result. The text to send is kept beside it, so that no front shows it before it is sent. */
function readVerdict({ result, about = {} }: Extract<ToolOutcome, { result: unknown }>): ToolOutcome {
  const said = isObject(result) && typeof result.answer === 'string' ? parseJson(result.answer) : undefined;
  if (!isObject(said) || typeof said.keep !== 'boolean') return failed('its verdict could not be read.', about);
  const { keep, answer, note } = said;
  const verdict = { keep, ...(typeof note === 'string' && note !== '' && { note: sanitizeText(note) }) };
  const text = typeof answer === 'string' ? sanitizeText(answer) : JSON.stringify(answer);
  if (keep || !text?.trim()) return { result: verdict, about };
  return { result: verdict, about: { ...about, answer: text } };
}

function failed(message: string, about: ToolOutcome['about'] = {}): ToolOutcome {
  return { error: { error_type: 'ToolInvocationError', message }, about };
}
