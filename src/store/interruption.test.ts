import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { comparePositions, parsePosition } from '../schema/position.ts';
import { interruptionOf } from './interruption.ts';

const AT = '2026-01-05T10:00:00.000Z';
const TURN = {
  turnId: '01J00000000000000000000000',
  conversationId: '01J00000000000000000000001',
  userId: 'a0000000-0000-4000-8000-000000000001',
  attempt: 2,
};

type Step = 'start' | 'wait' | 'run' | 'end';

function callOf(id: string): ToolCall {
  return { id, name: `tool_${id}`, arguments: { title: id }, state: 'pending' };
}

function eventOf(id: string, step: Step): EventBody {
  const tool = `tool_${id}`;
  if (step === 'start') return { type: 'tool-call-start', call: callOf(id) };
  if (step === 'wait') return { type: 'tool-call-wait', call_id: id, tool, wait: { kind: 'client' } };
  if (step === 'end') return { type: 'tool-call-end', call: { ...callOf(id), state: 'completed' }, message_id: 'x' };
  const sent_arguments = { title: id, user_id: TURN.userId };
  return { type: 'tool-call-run', call_id: id, tool, sent_arguments, started_at: AT, overridden: [] };
}

function interrupt(events: EventBody[], last = { seq: 3, offset: 7 }) {
  let made = 0;
  return interruptionOf({ turn: TURN, events, last, at: AT, newId: () => `m${++made}` });
}

describe('interruptionOf', () => {
  it('writes one event when no call runs', () => {
    expect(interrupt([])).toEqual({
      events: [{ type: 'turn-interrupt', id: `${TURN.turnId}.2.5.7`, at: AT }],
      messages: [],
      audit: [],
      status: 'interrupted',
    });
  });

  it('ends a running call as unknown, with its message and its audit record', () => {
    const write = interrupt([eventOf('a', 'start'), eventOf('a', 'run')]);
    const error = {
      error_type: 'ToolInvocationError',
      message: expect.stringContaining('tool_a was running when this turn was interrupted'),
    };
    const sent = { title: 'a', user_id: TURN.userId };
    expect(write.events).toEqual([
      {
        type: 'tool-call-end',
        id: `${TURN.turnId}.2.5.7`,
        at: AT,
        message_id: 'm1',
        call: { ...callOf('a'), state: 'unknown', error, sent_arguments: sent, started_at: AT },
      },
      { type: 'turn-interrupt', id: `${TURN.turnId}.2.6.7`, at: AT },
    ]);
    expect(write.messages).toMatchObject([{ id: 'm1', role: 'tool', tool_call_id: 'a', timestamp: AT }]);
    expect(write.audit).toEqual([
      {
        at: AT,
        user_id: TURN.userId,
        conversation_id: TURN.conversationId,
        turn_id: TURN.turnId,
        call_id: 'a',
        tool: 'tool_a',
        action: 'call',
        arguments: sent,
        outcome: 'unknown: ToolInvocationError',
      },
    ]);
  });

  it('ends exactly the calls that ran and did not end, whatever the others did', () => {
    const stories: Step[][] = [
      ['start'],
      ['start', 'wait'],
      ['start', 'run'],
      ['start', 'wait', 'run'],
      ['start', 'run', 'end'],
      ['start', 'end'],
      ['run'],
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...stories), { maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (told, picks) => {
          const running = told.flatMap((steps, at) =>
            steps[0] === 'start' && steps.at(-1) === 'run' ? [`c${at}`] : [],
          );
          const write = interrupt(interleave(told, picks));
          const ended = write.events.flatMap((event) => (event.type === 'tool-call-end' ? [event.call.id] : []));
          expect(ended.toSorted()).toEqual(running);
          expect(write.messages?.map((message) => message.id)).toEqual(running.map((_, at) => `m${at + 1}`));
          expect(write.audit?.map(({ call_id }) => call_id)).toEqual(ended);
          expect(write.events.at(-1)).toMatchObject({ type: 'turn-interrupt' });
        },
      ),
    );
  });

  it('places every event after the stored ones, leaving one seq free', () => {
    const last = fc.record({ seq: fc.nat(1_000), offset: fc.nat(1_000) });
    fc.assert(
      fc.property(last, fc.nat(5), (stored, count) => {
        const ids = Array.from({ length: count }, (_, at) => `c${at}`);
        const { events } = interrupt(
          ids.flatMap((id) => [eventOf(id, 'start'), eventOf(id, 'run')]),
          stored,
        );
        const places = events.map((event) => parsePosition(event.id));
        const free = { attempt: TURN.attempt, seq: stored.seq + 1, offset: stored.offset };
        expect(
          [free, ...places].every((place, at, all) => at === 0 || comparePositions(all[at - 1] ?? place, place) < 0),
        ).toBe(true);
      }),
    );
  });

  it('repeats nothing when its own events come first', () => {
    const first = interrupt([eventOf('a', 'start'), eventOf('a', 'run')]);
    const again = interrupt([eventOf('a', 'start'), eventOf('a', 'run'), ...first.events]);
    expect(again.events.map(({ type }) => type)).toEqual(['turn-interrupt']);
  });
});

/** Interleaves the events of the calls c0, c1 … and keeps the order within each call. */
function interleave(stories: Step[][], picks: Iterator<number>): EventBody[] {
  const rest = stories.map((steps, at) => steps.map((step) => eventOf(`c${at}`, step)));
  const mixed: EventBody[] = [];
  for (
    let open = rest.filter((steps) => steps.length > 0);
    open.length > 0;
    open = rest.filter((steps) => steps.length > 0)
  ) {
    const next = open[picks.next().value % open.length]?.shift();
    if (next) mixed.push(next);
  }
  return mixed;
}
