import type { Event, EventBody } from '../schema/conversation/event.ts';
import type { Finished, PluginTurn, ResultAdditions } from './plugin.ts';
import { emit, type RunningTurn } from './running-turn.ts';
import { applyEvent, currentText } from './turn-state.ts';

/** Runs the plugins before the first reply. Tools that they remove stay removed for the whole attempt. */
export async function* runBefore(turn: RunningTurn): AsyncGenerator<Event, RunningTurn> {
  let prepared = turn;
  for (const plugin of turn.deps.plugins ?? []) {
    const before = await guarded(turn, () => plugin.before?.(viewOf(prepared)));
    if (!before) continue;
    if (before.events.length > 0) yield* emit(prepared, ...before.events);
    if (before.tools) prepared = { ...prepared, deps: { ...prepared.deps, tools: before.tools } };
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

/** Returns the plugins' additions to a turn that has its answer. */
export async function runAfter(turn: RunningTurn): Promise<Finished> {
  const events: EventBody[] = [];
  const additions: ResultAdditions = {};
  for (const plugin of turn.deps.plugins ?? []) {
    const after = await guarded(turn, () => plugin.after?.(viewOf(turn)));
    events.push(...(after?.events ?? []));
    Object.assign(additions, after?.additions);
  }
  return { events, additions };
}

function viewOf({ state, deps }: RunningTurn): PluginTurn {
  const { agent, user, history, memory = {}, tools } = deps;
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
