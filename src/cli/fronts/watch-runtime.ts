import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Event } from '../../schema/conversation/event.ts';

type WaitEvent = Extract<Event, { type: 'tool-call-wait' }>;

export interface WatchedRuntime {
  runtime: Runtime;
  /** The conversation of the last turn. */
  conversationId(): string;
  /** Calls that wait for a person, and the answer that each gets: questions of running calls are declined. */
  takeWaits(approve: boolean): { call_id: string; approved: boolean }[];
}

/** A runtime whose turns are observed on their way to a front. */
export function watchRuntime(runtime: Runtime): WatchedRuntime {
  let waits: WaitEvent[] = [];
  let conversationId = '';
  const watch = (turn: ChatTurn): ChatTurn => {
    conversationId = turn.conversationId;
    return { ...turn, events: observe(turn.events, (event) => event.type === 'tool-call-wait' && waits.push(event)) };
  };
  return {
    runtime: {
      ...runtime,
      chat: async (user, input) => watch(await runtime.chat(user, input)),
      runThread: async (user, run) => watch(await runtime.runThread(user, run)),
      answer: async (user, input) => watch(await runtime.answer(user, input)),
    },
    conversationId: () => conversationId,
    takeWaits(approve) {
      const taken = waits;
      waits = [];
      return taken.map(({ call_id, wait }) => ({ call_id, approved: approve && wait.kind === 'approval' }));
    },
  };
}

async function* observe(events: ChatTurn['events'], seen: (event: Event) => void): AsyncGenerator<Event, undefined> {
  for await (const event of events) {
    seen(event);
    yield event;
  }
  return undefined;
}
