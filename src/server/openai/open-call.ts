import { AppError } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Agent } from '../../schema/agent.ts';
import type { JsonObject } from '../../schema/json.ts';
import { providerFacts } from '../../schema/provider.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ServerDeps } from '../deps.ts';
import { invalidAt, readTrace } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';
import { denyWaits } from '../stream/deny-waits.ts';
import { threadOfCall, threadOfResults } from './call-thread.ts';
import { answersTo, findWaiting } from './caller-tools.ts';
import type { CallerInput } from './chat-in.ts';

interface Call {
  agent: string;
  /** The request's body; the same body sent again is the same call. */
  body: unknown;
  /** The conversation that the caller names. */
  named: string | undefined;
  /** The conversation of an earlier call that this one follows. */
  follows?: string;
  /** The message of that conversation beside which this one stands. */
  clientId?: string;
  keepsGoing?: boolean;
  input: CallerInput;
  tools: readonly Tool[];
  /** The caller's `tool_choice`. */
  choice: AskedChoice;
  /** The JSON Schema that the answer must fit. */
  format: JsonObject | undefined;
}

/** The way in which a caller's approvals are asked for. */
export const OTHERWISE = 'the caller names the conversation (X-Session-Id)';

/** Begins or joins the turn of a call. Without a named conversation nobody can be asked, so approvals are denied. */
export async function openCall(deps: ServerDeps, request: HttpRequest, call: Call): Promise<ChatTurn> {
  const { runtime, clock } = deps;
  const { agent, body, named, follows, input, tools } = call;
  const { user } = request;
  const { message, outputs, history, context } = input;
  const toolChoice = readChoice(call, findModel(runtime.agents, agent));
  const waiting = named === undefined && !message ? await findWaiting(runtime, user, outputs) : undefined;
  const thread =
    waiting === undefined
      ? await threadOfCall(runtime, request, { agent, named, follows, body, now: clock.date() })
      : threadOfResults(request, waiting, body);
  const clientId = call.clientId ?? thread.clientId;
  if (deps.debug && message) request.facts.message = message.message;
  deps.takeTurn(user);
  const turn = await runtime.runThread(user, {
    agent,
    threadId: thread.threadId,
    idempotencyKey: thread.idempotencyKey,
    ...(message && { message: { ...message, ...(clientId && { clientId }) } }),
    history,
    answersTo: (events) => answersTo(events, outputs),
    clientTools: call.choice === 'none' ? [] : tools,
    ...(toolChoice && { toolChoice }),
    ...(call.format && { responseFormat: call.format }),
    context,
    keepsGoing: call.keepsGoing ?? thread.keepsGoing,
    ...readTrace(request),
  });
  return thread.isNamed ? turn : denyWaits(runtime, user, { turn, otherwise: OTHERWISE });
}

/** The agents are the models of this protocol. */
export function findModel(agents: readonly Agent[], name: string): Agent {
  const agent = agents.find((one) => one.name === name);
  if (agent) return agent;
  const names = agents.map((one) => one.name).join(', ');
  throw new AppError('agent_not_found', { detail: `There is no model ${name.slice(0, 200)}. Use one of: ${names}.` });
}

type AskedChoice = 'auto' | 'none' | 'required' | { name: string } | null | undefined;

interface Asked {
  choice: AskedChoice;
  tools: readonly Tool[];
  input: Pick<CallerInput, 'message'>;
}

/** The tool that the agent must call first; undefined leaves it to the agent. Throws where that cannot be ensured. */
function readChoice({ choice, tools, input }: Asked, { model }: Agent): 'required' | { name: string } | undefined {
  if (!choice || choice === 'auto' || choice === 'none') return undefined;
  const refuse = (message: string) => invalidAt({ path: ['tool_choice'], message });
  if (!providerFacts(model.provider).protocol) throw refuse('must be auto or none: the built-in model decides itself');
  if (!input.message) throw refuse('must be auto or none with tool results: the agent decides how it continues');
  if (tools.length === 0) throw refuse(`needs tools, and the request has none`);
  const isUnknown = choice !== 'required' && !tools.some(({ name }) => name === choice.name);
  if (isUnknown) throw refuse(`names ${JSON.stringify(choice.name)}, which is not among the tools of the request`);
  return choice === 'required' ? choice : { name: choice.name };
}
