import type { Event, EventBody } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { Finished, PluginTurn, ResultAdditions, Verdict } from './plugin.ts';
import { emit, type RunningTurn } from './running-turn.ts';
import { memberConfidence } from './turn-result.ts';
import { applyEvent, currentText } from './turn-state.ts';

/** Runs the plugins before the first reply. Tools that they remove stay removed for the whole attempt. */
export async function* runBefore(turn: RunningTurn): AsyncGenerator<Event, RunningTurn> {
  let prepared = turn;
  for (const plugin of turn.deps.plugins ?? []) {
    const before = await guarded(turn, () => plugin.before?.(viewOf(prepared)));
    if (!before) continue;
    if (before.events.length > 0) yield* emit(prepared, ...before.events);
    if (before.tools) prepared = { ...prepared, deps: { ...prepared.deps, tools: before.tools } };
    if (!before.holds) continue;
    const by = [...(prepared.hold?.by ?? []), { plugin, when: before.holds }];
    prepared = { ...prepared, hold: { by, isNoted: prepared.hold?.isNoted ?? false } };
  }
  return prepared;
}

/** Returns the plugins' events about the calls of a reply. They are applied to the turn but not yet written. */
export async function runOnCalls(turn: RunningTurn): Promise<EventBody[]> {
  const remarks: EventBody[] = [];
  for (const plugin of turn.deps.plugins ?? []) {
    const events = (await guarded(turn, () => plugin.onCalls?.(viewOf(turn)))) ?? [];
    for (const body of events) applyEvent(turn.state, body);
    remarks.push(...events);
  }
  return remarks;
}

/** True if a plugin wants to see the next answer before anybody else does. */
export function isHeld(turn: RunningTurn): boolean {
  return turn.hold?.by.some(({ when }) => when === true || when(viewOf(turn))) ?? false;
}

/** The verdict of the plugins that hold the answer; undefined if one of them failed. The first replacement decides. */
export async function runOnAnswer(turn: RunningTurn, text: string): Promise<Verdict | undefined> {
  for (const { plugin } of turn.hold?.by ?? []) {
    const verdict = await guarded(turn, () => plugin.onAnswer?.(viewOf(turn), text) ?? 'keep');
    if (verdict !== 'keep') return verdict;
  }
  return 'keep';
}

/** Returns the plugins' additions to a turn that has its answer. Their events are applied but not yet written. */
export async function runAfter(turn: RunningTurn): Promise<Finished> {
  const events: EventBody[] = [];
  let additions: ResultAdditions = {};
  for (const plugin of turn.deps.plugins ?? []) {
    const after = await guarded(turn, () => plugin.after?.(viewOf(turn)));
    if (!after) continue;
    for (const body of after.events) applyEvent(turn.state, body);
    events.push(...after.events);
    additions = joinAdditions(additions, after.additions);
  }
  return { events, additions };
}

const MAX_SUGGESTIONS = 3;
const RANKS = ['low', 'medium', 'high'] as const;

/** The additions of two plugins: lists are joined, and the lower confidence counts. */
export function joinAdditions(first: ResultAdditions, second: ResultAdditions): ResultAdditions {
  const join = <Item>(a: readonly Item[] | undefined, b: readonly Item[] | undefined) =>
    a || b ? [...new Set([...(a ?? []), ...(b ?? [])])] : undefined;
  const sources = join(first.sources, second.sources);
  const suggestions = join(first.suggestions, second.suggestions)?.slice(0, MAX_SUGGESTIONS);
  const citations = join(first.citations, second.citations);
  const error_details = join(first.error_details, second.error_details);
  const confidence = RANKS.find((rank) => rank === first.confidence || rank === second.confidence);
  return {
    ...(sources && { sources }),
    ...(suggestions && { suggestions }),
    ...(citations && { citations }),
    ...(confidence && { confidence }),
    ...(error_details && { error_details }),
    ...((first.partial_results || second.partial_results) && { partial_results: true }),
  };
}

/** Words of a member are no evidence for an answer, unless the member's own checks found all of them. */
function viewOf({ state: whole, deps }: Pick<RunningTurn, 'state' | 'deps'>): PluginTurn {
  const { agent, user, history, memory = {}, tools } = deps;
  const members = whole.calls.filter(({ delegation, reads_answer }) => delegation || reads_answer);
  const words = members.filter((call) => call.state === 'completed' && memberConfidence(call) !== 'high');
  // The second one reads the rest of a result that was cut.
  const isWords = ({ id, arguments: args }: ToolCall) =>
    words.some((call) => call.id === id || call.id === args.call_id);
  const calls = whole.calls.flatMap((call) =>
    call.reads_answer ? [] : [isWords(call) ? { ...call, result: null } : call],
  );
  const state = members.length === 0 ? whole : { ...whole, calls };
  return { agent, user, state, history, memory, tools, text: currentText(state) };
}

type Result<T> = T | Promise<T> | undefined;

async function guarded<T>(turn: RunningTurn, run: () => Result<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    turn.deps.log?.('a plugin failed', { turn: turn.state.turnId, error });
    return undefined;
  }
}
