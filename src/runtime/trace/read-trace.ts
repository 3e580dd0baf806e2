import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { PromptMessage, Trace, TraceMember, TraceStep, TurnTrace } from '../../schema/conversation/trace.ts';
import type { User } from '../../schema/user.ts';
import type { Store, StoredTurn } from '../../store/store.ts';
import { cutText } from '../../tools/sanitize.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import type { Turns } from '../live/turns.ts';
import { conversationNotFound, noLongerKept } from '../turn/turn-errors.ts';
import { rebuildPrompts } from './rebuild-prompts.ts';
import { traceOf } from './trace-of.ts';

/** Characters of one step's prompt, and of all prompts of a turn and its members. */
const STEP_CHARS = 200_000;
const TURN_CHARS = 2_000_000;

export interface TraceInput {
  conversationId: string;
  turnId: string;
  /** Prompts and tools are for developers only. */
  withPrompts: boolean;
}

interface TraceDeps {
  store: Store;
  turns: Turns;
  clock: Clock;
  findAgent(name: string): ReadyAgent;
  log?: Log;
}

/** Reads what happened in a turn and in those of members below it. Throws `no_longer_kept` when its events are gone. */
export async function readTrace(deps: TraceDeps, user: User, input: TraceInput): Promise<Trace> {
  const { store } = deps;
  if (!(await store.readConversation(user, input.conversationId))) throw conversationNotFound();
  const turn = await store.readTurn(user, input.turnId);
  if (turn?.conversation_id !== input.conversationId) {
    throw new AppError('not_found', { detail: 'This conversation has no turn of this id.' });
  }
  const work = { deps, user, room: { chars: input.withPrompts ? TURN_CHARS : 0 } };
  const { trace, events } = await traceTurn(work, turn);
  if (events.length === 0 && turn.attempt > 0) throw noLongerKept();
  const members = await traceMembers(work, events);
  return { ...trace, ...(members.length > 0 && { members }) };
}

interface Work {
  deps: TraceDeps;
  user: User;
  /** Characters that prompts may still have; 0 = none are shown. */
  room: { chars: number };
}

async function traceTurn(
  { deps, user, room }: Work,
  turn: StoredTurn,
): Promise<{ trace: TurnTrace; events: readonly Event[] }> {
  const { store, turns, clock } = deps;
  const live = turns.findByTurn(user, turn.id);
  const events = live ? live.events() : await store.readEvents(user, turn.id);
  const trace = traceOf(turn, events, clock.date().toISOString());
  if (room.chars === 0 || trace.steps.length === 0) return { trace, events };
  try {
    const requests = await rebuildPrompts({ store, findAgent: deps.findAgent, user, turn, events });
    return { trace: { ...trace, steps: addPrompts(trace.steps, requests, room) }, events };
  } catch (error) {
    // Without its agent a turn still has its times.
    deps.log?.('the prompts of a turn could not be rebuilt', { turn: turn.id, error });
    return { trace, events };
  }
}

/** The turns that calls worked in, each followed by those below it. */
async function traceMembers(work: Work, events: readonly Event[]): Promise<TraceMember[]> {
  const members: TraceMember[] = [];
  const begun = new Map(
    events.flatMap((event) => (event.type === 'delegation' && !event.remote ? [[event.call_id, event]] : [])),
  );
  for (const { call_id, agent, turn_id } of begun.values()) {
    const turn = await work.deps.store.readTurn(work.user, turn_id);
    if (!turn) continue;
    const { trace, events: own } = await traceTurn(work, turn);
    members.push({ call_id, agent, ...trace }, ...(await traceMembers(work, own)));
  }
  return members;
}

function addPrompts(steps: readonly TraceStep[], requests: readonly ModelRequest[], room: Work['room']): TraceStep[] {
  return steps.map((step, index) => {
    const request = requests[index];
    if (!request) return step;
    const { prompt, isCut } = toPrompt(request, Math.min(room.chars, STEP_CHARS));
    room.chars = Math.max(1, room.chars - sizeOf(prompt));
    return { ...step, prompt, tools: request.tools.map(({ name }) => name), ...(isCut && { prompt_cut: true }) };
  });
}

/** The instructions and the newest messages that fit. Fields that only a provider reads are left out. */
function toPrompt({ system, messages }: ModelRequest, maxChars: number): { prompt: PromptMessage[]; isCut: boolean } {
  let room = maxChars;
  let isCut = false;
  const take = (message: PromptMessage): PromptMessage[] => {
    const fixed = sizeOf([{ ...message, content: '' }]);
    const content = cutText(message.content, Math.max(0, room - fixed));
    if (fixed > room || content !== message.content) isCut = true;
    if (fixed > room) return [];
    room -= fixed + content.length;
    return [{ ...message, content }];
  };
  const head = take({ role: 'system', content: system });
  const rest = messages.toReversed().flatMap((message) => take(toPromptMessage(message)));
  return { prompt: [...head, ...rest.reverse()], isCut };
}

function sizeOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
}

function toPromptMessage(message: Message): PromptMessage {
  const { role, content } = message;
  if (message.role === 'tool') return { role, content, tool_call_id: message.tool_call_id };
  return message.role === 'assistant' && message.tool_calls
    ? { role, content, tool_calls: message.tool_calls }
    : { role, content };
}
