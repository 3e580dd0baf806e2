import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Ids } from '../../ids.ts';
import type { Model, ModelChunk } from '../../models/model.ts';
import { redactSeries } from '../../redaction/series.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Ulid } from '../../schema/ids.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import { agentHash, type Cassette, type Entry, hashOf, type Step } from './cassette.ts';
import { createLanes, type Lanes, laneLabel } from './lanes.ts';
import { createTapeClock, replayReader, type Tape } from './tape.ts';
import { createReplayRedactor } from './tape-redactor.ts';
import {
  CHUNK_TIMES,
  describeDifference,
  listRequest,
  MODEL_ID,
  modelRequest,
  requestKind,
  toPlain,
} from './tape-request.ts';
import { replayPost } from './wire.ts';

export interface ReplayOptions {
  agent: Agent;
  cassette: Cassette;
  clock: Clock;
  /** For models and tools, whose own ids are not part of the recording. */
  ids: Ids;
}

/** Repeats a recorded case: no model, tool or server is asked. The first difference is kept, for people. */
export function createReplay({ agent, cassette, clock, ids }: ReplayOptions): Tape {
  const lanes = createLanes();
  const supply = createSupply(cassette, lanes.current);
  const redactor = createReplayRedactor(agent, cassette);
  const take: Supply['take'] = (kind, request) => supply.take(kind, redactor.json(request));
  const tapeClock = createTapeClock(clock, new Date(String(supply.takeNext('clock')?.reply)), lanes);
  const { moveTo } = tapeClock;
  const endTogether: Asked['endTogether'] = (action, { index: place, at_ms }) =>
    lanes.endTogether(action, () => moveTo(at_ms), place);
  const asked = { take, endTogether, moveTo };
  const nextId = <T extends string>(make: () => T, request?: string): T => {
    const found = supply.takeNext('id', request);
    return found ? (String(found.reply) as T) : make(); // the recorder wrote an id of this kind
  };
  const nextTimes = () => [...((supply.takeNext('clock', CHUNK_TIMES)?.reply ?? []) as number[])]; // written as times
  return {
    clock: tapeClock,
    ids: { ulid: () => nextId<Ulid>(ids.ulid), uuid: () => nextId(ids.uuid) },
    tap: {
      ids,
      modelIds: { ulid: () => nextId<Ulid>(ids.ulid, MODEL_ID), uuid: () => nextId(ids.uuid, MODEL_ID) },
      post: () => replayPost((request) => take('model', request).reply),
      model: (model, { isRemote }) =>
        isRemote ? timeModel(model, nextTimes, moveTo) : replayModel(model.label, asked),
      source: (source) => replaySource(source, agent, asked),
      reader: (reader) =>
        replayReader(reader, (request) => {
          const { reply, at_ms } = take('file', request);
          moveTo(at_ms);
          return reply;
        }),
      delegating:
        cassette.format === 1
          ? (delegate) => delegate
          : lanes.delegating(async (request, run) => endTogether(run, take('tool', request))),
    },
    judge: () => replayPost((request) => take('judge', request).reply),
    takeEvents(events) {
      const recorded = supply.takeNext('events')?.reply;
      const now = redactSeries(events.map(toPlain), redactor);
      if (JSON.stringify(recorded) === JSON.stringify(now)) return;
      supply.differ(`the events differ from the recording:\n${describeDifference(recorded, now)}`);
    },
    finish() {
      const difference = supply.finish();
      const isChanged = difference !== undefined && cassette.agent !== agentHash(agent);
      return isChanged ? `${difference}\nThe agent file has changed since the recording.` : difference;
    },
  };
}

/** A remote model reads the recorded bytes; its chunks move the clock to their recorded times. */
function timeModel(model: Model, nextTimes: () => number[], moveTo: (elapsedMs: number) => void): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const times = nextTimes();
      for await (const chunk of model.stream(request, options)) {
        moveTo(times.shift() ?? 0);
        yield chunk;
      }
    },
  };
}

interface Asked extends Pick<Supply, 'take'> {
  endTogether<T>(action: () => Promise<T>, entry: Placed): Promise<T>;
  moveTo(elapsedMs: number): void;
}

function replayModel(label: string, { take, moveTo }: Asked): Model {
  return {
    label,
    async *stream(request) {
      const { reply } = take('model', modelRequest(request));
      // The recorder wrote pairs of a time and a chunk.
      for (const [atMs, chunk] of reply as unknown as [number, ModelChunk][]) {
        moveTo(atMs);
        yield chunk;
      }
    },
  };
}

/** Offers the recorded tools; a server outside this process is never started. */
function replaySource(source: ToolSource, agent: Agent, { take, endTogether, moveTo }: Asked): ToolSource {
  const kind = requestKind(agent, source.name);
  const known = new Map<string, Tool>();
  const toTool = (definition: Json): Tool => {
    const text = JSON.stringify(definition);
    const tool: Tool = known.get(text) ?? {
      ...(definition as unknown as Omit<Tool, 'run'>), // the recorder wrote a tool without its function
      async run(args, context) {
        const entry = take(kind, { tool: tool.name, arguments: args });
        await endTogether(() => repeatSteps(entry.steps ?? [], context), entry);
        return entry.reply as unknown as ToolOutcome; // the recorder wrote an outcome
      },
    };
    known.set(text, tool);
    return tool;
  };
  return {
    ...source,
    async tools(user, options) {
      const own = kind === 'tool' ? await source.tools(user, options) : undefined;
      const { reply, at_ms } = take(kind, listRequest(agent, source.name, own));
      moveTo(at_ms);
      const real = own?.filter(({ resumable }) => resumable === true) ?? []; // their members are repeated
      const tools = (reply as Json[]).map(toTool); // the recorder wrote a list
      return tools.map((tool) => real.find(({ name }) => name === tool.name) ?? tool);
    },
    isStarting: () => false,
    status: () => ({ state: 'ready', tools: [] }),
  };
}

/** Asks the recorded questions again; the recorded outcome depends on the answers already. */
async function repeatSteps(steps: readonly Step[], { ask, progress }: ToolContext): Promise<void> {
  for (const step of steps) {
    if ('progress' in step) progress(step.progress);
    else await ask({ text: step.ask.text, ...(step.ask.schema && { schema: step.ask.schema }) }).catch(() => {});
  }
}

type Placed = Entry & { index: number };

type Supply = ReturnType<typeof createSupply>;

/** The entries of a cassette that were not used yet. */
function createSupply(cassette: Cassette, current: Lanes['current']) {
  const open: Placed[] = cassette.entries.map((entry, index) => ({ ...entry, index }));
  let difference: string | undefined;
  const isHere = ({ lane = '' }: Entry) => lane === current().path;
  const remove = (isWanted: (entry: Placed) => boolean): Placed | undefined => {
    const at = open.findIndex((entry) => isHere(entry) && isWanted(entry));
    return at === -1 ? undefined : open.splice(at, 1)[0];
  };
  return {
    /** The entry of this lane with the same request; the order decides between equal ones. Throws if there is none. */
    take(kind: Entry['kind'], request: JsonObject): Placed {
      const hash = hashOf(JSON.stringify(request));
      const found = remove((entry) => entry.kind === kind && entry.request_hash === hash);
      if (found) return found;
      const next = open.find((entry) => isHere(entry) && entry.kind === kind && isSimilar(entry.request, request));
      const member = laneLabel(current().path);
      difference ??= next
        ? `${member}the ${kind} request differs from the recording:\n${describeDifference(next.request, request)}`
        : `${member}this ${kind} request is not in the recording:\n${describeDifference({}, request)}`;
      throw new AppError('model_refused', { detail: 'The recording has no reply for this.' });
    },
    /** The next entry of this lane of a kind without requests, or with this mark. */
    takeNext: (kind: Entry['kind'], mark?: string) => remove((entry) => entry.kind === kind && entry.request === mark),
    /** Keeps a difference; the first one counts. */
    differ(text: string): void {
      difference ??= text;
    },
    /** The first difference, also if a recorded request was never made. */
    finish(): string | undefined {
      const left = open.find(({ kind, request }) => kind === 'model' || kind === 'file' || isCall(request));
      const what = left && `${laneLabel(left.lane)}a recorded ${left.kind} request was not made`;
      if (left) difference ??= `${what}:\n${describeDifference(left.request, {})}`;
      return difference;
    },
  };
}

/** Calls are compared with calls, and lists of tools with lists. */
function isSimilar(recorded: Entry['request'], request: JsonObject): boolean {
  return isCall(recorded) === isCall(request);
}

function isCall(request: Entry['request']): boolean {
  return typeof request === 'object' && request !== null && 'tool' in request;
}
