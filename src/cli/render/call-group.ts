import { systemClock } from '../../clock.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Colors } from '../terminal/colors.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import type { Screen } from '../terminal/screen.ts';
import { areAllEnded, type CallLine, callDetails, callRows, showDuration, spinnerAt } from './call-lines.ts';

const FRAME_MS = 80;
/** Faster replies show no "thinking". */
const THINKS_AFTER_MS = 400;

/** The calls of one reply, updated in place until all have ended; before them, a sign that the model is thinking. */
export interface CallGroup {
  take(event: Event): void;
  think(reasoning?: string): void;
  commit(): void;
  resized(isLost: boolean): void;
}

interface Group {
  lines: Map<string, CallLine>;
  overridden: Map<string, readonly string[]>;
  thinking: { since: number; text: string } | undefined;
  timer: NodeJS.Timeout | undefined;
  frame: number;
}

export function createCallGroup(options: { screen: Screen; colors: Colors; verbose: boolean }): CallGroup {
  const { screen, colors, verbose } = options;
  const group: Group = { lines: new Map(), overridden: new Map(), thinking: undefined, timer: undefined, frame: 0 };

  const draw = () => {
    const look = { colors, width: screen.width, now: systemClock.now(), spinner: spinnerAt(group.frame) };
    if (group.lines.size > 0) screen.draw(callRows([...group.lines.values()], look));
    else if (group.thinking) drawThinking(group.thinking, look);
  };
  const drawThinking = ({ since, text }: NonNullable<Group['thinking']>, look: { now: number; spinner: string }) => {
    if (look.now - since < THINKS_AFTER_MS) return;
    const line = `  ${look.spinner} thinking ${showDuration(look.now - since)}  ${text}`;
    screen.draw([colors.dim(cutToWidth(line, screen.width))]);
  };
  const animate = () => {
    group.timer ??= setInterval(() => {
      group.frame++;
      draw();
    }, FRAME_MS).unref();
  };
  const commit = () => {
    clearInterval(group.timer);
    group.timer = undefined;
    if (group.lines.size > 0) {
      draw();
      screen.commit();
    } else if (group.thinking && screen.shown > 0) screen.erase();
    const ended = [...group.lines.values()];
    group.lines = new Map();
    group.thinking = undefined;
    if (verbose) for (const line of ended) printDetails(line);
  };
  const printDetails = ({ call }: CallLine) => {
    const rows = callDetails(call, group.overridden.get(call.id) ?? []);
    screen.print(colors.dim(rows.map((row) => `    ${row}`).join('\n')));
  };

  return {
    take(event) {
      if (group.thinking && group.lines.size === 0) commit();
      if (event.type === 'tool-call-run') group.overridden.set(event.call_id, event.overridden);
      change(group.lines, event);
      if (group.lines.size === 0) return;
      draw();
      if (areAllEnded([...group.lines.values()])) commit();
      else animate();
    },
    think(reasoning) {
      if (group.lines.size > 0) return;
      const text = `${group.thinking?.text ?? ''}${sanitizeText(reasoning ?? '')}`.replace(/\s+/g, ' ').slice(-200);
      group.thinking = { since: group.thinking?.since ?? systemClock.now(), text };
      animate();
    },
    commit,
    resized(isLost) {
      if (isLost) for (const [id, { call }] of group.lines) if (call.completed_at) group.lines.delete(id);
      draw();
    },
  };
}

/** Updates the lines for an event. */
function change(lines: Map<string, CallLine>, event: Event): void {
  if (event.type === 'tool-call-start') lines.set(event.call.id, { call: event.call });
  if (event.type === 'tool-call-end')
    lines.set(event.call.id, {
      ...lines.get(event.call.id),
      call: event.call,
      ...(event.call.sent_arguments && { sent: event.call.sent_arguments }),
    });
  if (event.type === 'tool-call-run') {
    const { call_id: id, tool: name, sent_arguments: sent } = event;
    const call = { ...(lines.get(id)?.call ?? { id, name, arguments: sent }), state: 'running' as const };
    lines.set(id, { call, sent, startedAt: systemClock.now() });
  }
  const line = 'call_id' in event ? lines.get(event.call_id) : undefined;
  if (line && event.type === 'tool-call-wait')
    lines.set(event.call_id, { ...line, call: { ...line.call, state: 'waiting' } });
  if (line && event.type === 'delegation') {
    const { agent, turn_id, open } = event;
    const state = open ? ('waiting' as const) : ('running' as const);
    lines.set(event.call_id, { ...line, call: { ...line.call, state, delegation: { agent, turn_id, status: state } } });
  }
  if (line && event.type === 'tool-call-progress') lines.set(event.call_id, { ...line, progress: event.text });
}
