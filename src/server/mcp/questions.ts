import type { InputRequest } from '@modelcontextprotocol/server';
import type { CallAnswer, CallWait, Event } from '../../schema/conversation/event.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';
import type { McpCall, Sdk } from './mcp-call.ts';

type AskedWait = Exclude<CallWait, { kind: 'client' }>;

/** A call that waits for a person. */
export interface Question {
  callId: string;
  tool: string;
  /** The member of the team that made the call. */
  agent?: string | undefined;
  wait: AskedWait;
}

const DECISION: JsonObject = {
  type: 'object',
  properties: { approved: { type: 'boolean', title: 'Allow', description: 'Whether the call may run' } },
  required: ['approved'],
};
const CANNOT_ASK =
  'the MCP client cannot ask its user; use a client with elicitation, or decide on the page or in the terminal';
const DENIED = 'the user did not allow it';

/** Collects the questions of a turn from its events. */
export function createQuestions() {
  const open = new Map<string, Question>();
  return {
    take(event: Event) {
      if (event.type === 'tool-call-end') open.delete(event.call.id);
      if (event.type !== 'tool-call-wait' || event.wait.kind === 'client') return;
      const { call_id: callId, tool, agent, wait } = event;
      open.set(callId, { callId, tool, agent, wait });
    },
    of: (calls: readonly string[]): Question[] => [...open.values()].filter(({ callId }) => calls.includes(callId)),
  };
}

/** The question in MCP's shape: an elicitation with a form. */
export function toElicitation(
  sdk: Sdk,
  { tool, agent, wait }: Pick<Question, 'tool' | 'agent' | 'wait'>,
): InputRequest {
  if (wait.kind === 'input') return sdk.inputRequired.elicit(form(wait.question, wait.schema ?? FREE_TEXT));
  const names = (wait.names ?? []).map(({ argument, name }) => `\n${argument}: ${name}`).join('');
  const args = JSON.stringify(sanitizeJson(wait.sent_arguments));
  return sdk.inputRequired.elicit(
    form(`Allow ${agent ? `${agent} to call ${tool}` : tool} with ${args}?${names}`, DECISION),
  );
}

const FREE_TEXT: JsonObject = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
};

type Form = Parameters<Sdk['inputRequired']['elicit']>[0];

/** The cast: the schema is ours, or that of another MCP server's elicitation. */
function form(message: string, requestedSchema: JsonObject): Form {
  return { message, requestedSchema: requestedSchema as unknown as Form['requestedSchema'] };
}

/** The client's answers; undefined if one is missing, so that the questions are put again. */
export function readAnswers({ sdk, responses }: McpCall, questions: readonly Question[]): CallAnswer[] | undefined {
  const answers = questions.flatMap(({ callId: call_id, wait }): CallAnswer[] => {
    const view = sdk.inputResponse(responses, call_id);
    if (view.kind !== 'elicit') return [];
    const content = view.action === 'accept' ? view.content : undefined;
    // The cast: it came over the wire, so it is JSON.
    if (wait.kind === 'input') return [{ call_id, result: (content as Json | undefined) ?? null }];
    return [isAllowed(content) ? { call_id, approved: true } : { call_id, approved: false, reason: DENIED }];
  });
  return answers.length === questions.length ? answers : undefined;
}

export function isAllowed(content: Record<string, unknown> | undefined): boolean {
  return content?.approved === true;
}

/** The answers for a client that cannot ask anybody. */
export function unasked(questions: readonly Question[]): CallAnswer[] {
  return questions.map(({ callId: call_id, wait }) =>
    wait.kind === 'input' ? { call_id, result: null } : { call_id, approved: false, reason: CANNOT_ASK },
  );
}

/** The sentence for a tool that was not run because nobody could be asked. */
export function notAllowed({ canAsk }: Pick<McpCall, 'canAsk'>, tool: string): string {
  return `${tool} was not run: ${canAsk ? DENIED : CANNOT_ASK}.`;
}
