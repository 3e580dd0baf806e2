import type { ToolCallState } from '../../src/schema/conversation/tool-call.ts';
import type { AnswerCheck } from '../../src/schema/conversation/turn.ts';
import type { Citation, FileVerdict } from '../api/shapes.ts';
import { type Routing, splitChecks, type Turn } from './turn.ts';

interface ToolTime {
  call_id: string;
  started_at?: string;
  duration_ms?: number;
  state?: ToolCallState;
  domain?: string;
}

/** Values of the server's own events. Their shapes are the server's schemas, which it checks before it sends them. */
interface CustomValues {
  routing: Routing;
  annotation: readonly AnswerCheck[];
  citations: readonly Citation[];
  file: FileVerdict;
  file_progress: { filename: string; text: string };
  tool_call_progress: { toolCallId: string; text: string };
  tool_time: ToolTime;
  hand_over: { to: string };
  notice: string;
}

const CHANGES: { [Name in keyof CustomValues]: (turn: Turn, value: CustomValues[Name]) => Turn } = {
  routing: (turn, routing) => ({ ...turn, routing }),
  annotation: (turn, checks) => ({ ...turn, ...splitChecks(checks) }),
  citations: (turn, citations) => ({ ...turn, facts: { ...turn.facts, citations } }),
  file: addFile,
  file_progress: (turn, { filename, text }) => ({ ...turn, fileProgress: `${filename}: ${text}` }),
  tool_call_progress: (turn, { toolCallId, text }) => changeCall(turn, toolCallId, { progress: text }),
  tool_time: (turn, { call_id, started_at, duration_ms, state, domain }) =>
    changeCall(turn, call_id, {
      ...(started_at && { startedAt: started_at }),
      ...(duration_ms !== undefined && { durationMs: duration_ms }),
      ...(state && { state }),
      ...(domain && { domain }),
    }),
  hand_over: (turn, { to: agent }) => ({ ...turn, facts: { ...turn.facts, agent } }),
  notice: (turn, text) => ({ ...turn, notices: [...turn.notices, text] }),
};

/** An event of a name that the page does not know changes nothing. */
export function applyCustom(turn: Turn, name: string, value: unknown): Turn {
  if (!Object.hasOwn(CHANGES, name)) return turn;
  // The name decides the shape of the value, which TypeScript cannot follow through a table.
  const change = CHANGES[name as keyof CustomValues] as (turn: Turn, value: unknown) => Turn;
  return change(turn, value);
}

function addFile(turn: Turn, file: FileVerdict): Turn {
  const { fileProgress: _progress, ...rest } = turn;
  return { ...rest, files: [...turn.files, file] };
}

function changeCall(turn: Turn, id: string, facts: Partial<Turn['calls'][string]>): Turn {
  const call = turn.calls[id];
  return call ? { ...turn, calls: { ...turn.calls, [id]: { ...call, ...facts } } } : turn;
}
