import { isInterruption } from '../../agent/running-turn.ts';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import { waitFor } from '../../models/wait.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import { isTimeout } from '../../tools/run-call.ts';
import type { DelegatedCall, SourceStatus, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import { delegationTool } from '../delegate-tool.ts';
import { MEMBER_SHARE } from '../run-member.ts';
import { openRemote, quote, RemoteFault, type RemotePlace, type RemoteTask } from './a2a-client.ts';

export interface RemoteMember {
  name: string;
  /** With the names of its teams. */
  wholeName: string;
  description: string | undefined;
  card: string;
  /** Throws if a value of the user is missing. */
  headersFor(user: User): Record<string, string>;
  /** Whether a person accepted these facts of the card. The first ones are accepted. */
  isAccepted(facts: JsonObject): Promise<boolean>;
  accept(): Promise<void>;
  clock: Clock;
  ids: Ids;
}

const REQUEST_MS = 30_000;
const CANCEL_MS = 5_000;
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 5_000;
/** Questions of one task, and messages that continue it. */
const MAX_ROUNDS = 10;

type RemoteAgent = Omit<Awaited<ReturnType<typeof openRemote>>, 'facts'>;
type Open = (user: User, limits: Pick<RemotePlace, 'signal' | 'requestMs'>) => Promise<RemoteAgent>;

/** A member on another server. Its card is read when it gets a task. The model reads nothing of the card. */
export function createRemoteMember(member: RemoteMember): ToolSource {
  const { name, wholeName: agent, description, card, headersFor, accept } = member;
  let status: Pick<SourceStatus, 'state' | 'detail'> = { state: 'idle' };
  const open: Open = async (user, limits) => {
    try {
      const { facts, ...remote } = await openRemote({ ...limits, card, headers: headersFor(user) });
      if (!(await member.isAccepted(facts)))
        throw new RemoteFault('refused', 'changed its card; a person has to accept the change first');
      status = { state: 'ready' };
      return remote;
    } catch (error) {
      if (error instanceof RemoteFault) status = { state: 'degraded', detail: `${name} ${error.message}` };
      throw error;
    }
  };
  const about = `, an agent on another server${description ? `: ${description}` : ''}`;
  const remote = (work: DelegatedCall) => runTask(openTask(member, work, open));
  const tool = delegationTool(name, { about, source: name, resumable: 'begun', to: { agent, remote } });
  return {
    name,
    tools: async () => [tool],
    status: () => ({ ...status, tools: [{ name: tool.name, description: tool.description }] }),
    look: async (user, signal) => void (await open(user, { signal, requestMs: () => REQUEST_MS }).catch(() => {})),
    accept,
    close: async () => {},
  };
}

/** The facts that an attempt has about the task of its call. */
interface Task extends RemoteMember {
  work: DelegatedCall;
  open: Open;
  id: string | undefined;
  isSent: boolean;
  requestMs(): number;
}

function openTask(member: RemoteMember, work: DelegatedCall, open: Open): Task {
  const { call, context } = work;
  const left = () => context.remainingMs?.() ?? REQUEST_MS;
  const reserve = (1 - MEMBER_SHARE) * left();
  const requestMs = () => Math.min(REQUEST_MS, left() - reserve);
  return { ...member, work, open, id: call.delegation?.turn_id, isSent: call.state !== 'pending', requestMs };
}

/** Once the task's id is in the journal, another attempt reads the task and sends nothing again. */
async function runTask(task: Task): Promise<ToolOutcome> {
  const { signal, user } = task.work.context;
  if (task.isSent && task.id === undefined) return unknown(task, 'was given the task when the process ended');
  try {
    signal.throwIfAborted();
    return await advance(task, await task.open(user, { ...task, signal }));
  } catch (error) {
    const isKept = task.id !== undefined || !task.isSent;
    if (isInterruption(signal) && isKept) return { ...failed(task, 'works on it'), stays: 'running' };
    if (signal.aborted) return stop(task, isTimeout(signal.reason));
    if (!(error instanceof RemoteFault)) throw error;
    const isOpen = task.id !== undefined || (task.isSent && error.kind === 'unclear');
    return isOpen ? unknown(task, error.message) : failed(task, error.message);
  }
}

async function advance(task: Task, agent: RemoteAgent): Promise<ToolOutcome> {
  const { name, clock, requestMs, work } = task;
  let now = task.id === undefined ? await begin(task, agent) : await read(agent, task.id);
  let answered: string | undefined;
  for (let ms = FIRST_LOOK_MS, rounds = 0; ; ) {
    const { state, text } = now ?? { state: 'away', text: '' };
    if (state === 'completed') return { result: { answer: text }, ...about(task, state) };
    if (['failed', 'rejected', 'canceled'].includes(state))
      return failed(task, `says that the task is ${state}: ${quote(text)}`, state);
    const isLogin = state === 'auth-required';
    if (now && now.mark !== answered && (isLogin || state === 'input-required')) {
      answered = now.mark;
      now = isLogin || rounds++ === MAX_ROUNDS ? undefined : await reply(task, agent, now);
      ms = FIRST_LOOK_MS;
      if (now) continue;
      await cancel(task);
      const why = isLogin ? 'needs another login' : 'asked, and got no answer';
      return failed(task, `${why}: ${quote(text)}. The task is cancelled`, 'canceled');
    }
    if (requestMs() <= 0 || task.id === undefined) return stop(task, true);
    if (text !== '') work.context.progress(`${name}: ${text}`);
    await waitFor({ ms: Math.min(ms, requestMs()), clock, signal: work.context.signal });
    ms = Math.min(ms * 1.5, LONGEST_LOOK_MS);
    now = await read(agent, task.id);
  }
}

async function begin(task: Task, agent: RemoteAgent): Promise<RemoteTask> {
  const { name, work } = task;
  task.isSent = true;
  const begun = await agent.send(work.message, work.call.id);
  task.id = begun.id;
  const event = { type: 'delegation', call_id: work.call.id, agent: name, remote: true } as const;
  if (begun.id !== undefined) await work.write({ ...event, turn_id: begun.id });
  return begun;
}

/** Undefined while the other server is away: its task may be there when it comes back. */
async function read(agent: RemoteAgent, id: string): Promise<RemoteTask | undefined> {
  return agent.read(id).catch((error: unknown) => {
    if (error instanceof RemoteFault && error.kind !== 'refused') return undefined;
    throw error;
  });
}

/** Passes the question on to the person. Undefined: nobody answered. */
async function reply({ name, ids, work }: Task, agent: RemoteAgent, asked: RemoteTask) {
  const { message, call, context } = work;
  if (asked.isCutOff) return agent.send(message, call.id);
  const given = await context.ask({ text: `${name} asks: ${asked.text}` }).catch(() => null);
  context.signal.throwIfAborted();
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return given === null ? undefined : agent.send(text, ids.ulid(), asked);
}

async function stop(task: Task, isLate: boolean): Promise<ToolOutcome> {
  const text = isLate ? 'did not answer in time' : 'was cancelled';
  const isOver = !task.isSent || (await cancel(task));
  return isOver ? failed(task, text, isLate ? 'timeout' : 'canceled') : unknown(task, text);
}

/** True if the other server confirms it. */
async function cancel({ id, open, work: { context } }: Task): Promise<boolean> {
  if (id === undefined) return false;
  const agent = open(context.user, { signal: AbortSignal.timeout(CANCEL_MS), requestMs: () => CANCEL_MS });
  const cancelled = agent.then((opened) => opened.cancel(id));
  return cancelled.then(({ state }) => state === 'canceled').catch(() => false);
}

function failed(task: Task, text: string, status = 'failed') {
  const error_type = status === 'timeout' ? ('Timeout' as const) : ('ToolInvocationError' as const);
  return { error: { error_type, message: `${task.name} ${text}.` }, ...about(task, status) };
}

function unknown(task: Task, text: string): ToolOutcome {
  return { ...failed(task, `${text}. It is not known whether it did the task`, 'unknown'), unknown: true };
}

function about({ id, wholeName: agent }: Task, status: string) {
  return id === undefined ? {} : { about: { delegation: { agent, turn_id: id, remote: true as const, status } } };
}
