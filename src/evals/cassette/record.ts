import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model, ModelChunk } from '../../models/model.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { isSeriesOpen, redactSeries } from '../../redaction/series.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import { type Entry, hashOf, type Step, writeCassette } from './cassette.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createTapeClock, recordReader, type Tape } from './tape.ts';
import { createTapeRedactor } from './tape-redactor.ts';
import {
  CHUNK_TIMES,
  listRequest,
  MODEL_ID,
  modelRequest,
  requestKind,
  toolDefinition,
  toPlain,
} from './tape-request.ts';
import { recordPost } from './wire.ts';

export interface RecordOptions {
  agent: Agent;
  clock: Clock;
  ids: Ids;
  path: string;
}

/** Records a case: model replies, tool calls, tool lists, texts of files, ids and times, and the resulting events. */
export function createRecorder({ agent, clock, ids, path }: RecordOptions): Tape {
  const entries: Entry[] = [];
  const redactor = createTapeRedactor(agent);
  const startMs = clock.now();
  const start = clock.date();
  const lanes = createLanes();
  const tapeClock = createTapeClock(clock, start, lanes);
  entries.push({ at_ms: 0, kind: 'clock', reply: start.toISOString() });
  const elapsedMs = () => Math.round(clock.now() - startMs);
  const tick = () => {
    tapeClock.moveTo(elapsedMs());
    return tapeClock.now();
  };
  const add = (entry: Entry) => {
    const { path: lane } = lanes.current();
    entries.push({ ...entry, ...(lane && { lane }) });
  };
  const keepId = <T extends string>(id: T, of: { request?: string } = {}): T => {
    add({ at_ms: tapeClock.now(), kind: 'id', ...of, reply: id });
    return id;
  };
  const keep: Keep = (kind, given, reply, steps) => {
    const request = redactor.json(given);
    // The chunks of a model's reply and the end of a call moved the clock already.
    const isTimed = kind === 'model' || kind === 'judge' || steps !== undefined;
    const at_ms = isTimed ? tapeClock.now() : tick();
    const more = steps && steps.length > 0 ? { steps } : {};
    add({ at_ms, kind, request_hash: hashOf(JSON.stringify(request)), request, reply, ...more });
  };
  const keepTimes = (times: number[]) =>
    add({ at_ms: tapeClock.now(), kind: 'clock', request: CHUNK_TIMES, reply: times });
  const ofModel = { request: MODEL_ID };
  return {
    clock: tapeClock,
    ids: { ulid: () => keepId(ids.ulid()), uuid: () => keepId(ids.uuid()) },
    tap: {
      ids,
      modelIds: { ulid: () => keepId(ids.ulid(), ofModel), uuid: () => keepId(ids.uuid(), ofModel) },
      post: (post) => (options) => {
        // The end of a body is read outside of its lane.
        const keepReply = AsyncLocalStorage.bind((request: JsonObject, reply: Json) => keep('model', request, reply));
        return recordPost(post, { keep: keepReply, elapsedMs, redactor })(options);
      },
      model: (model, { isRemote }) =>
        isRemote ? timeModel(model, tick, keepTimes) : recordModel(model, { tick, keep, redactor }),
      source: (source) => recordSource(source, agent, { keep, tick, redactor, lanes }),
      reader: (reader) => recordReader(reader, redactor, (request, reply) => keep('file', request, reply)),
      delegating: lanes.delegating(async (request, run) => {
        const outcome = await lanes.endTogether(run, tick);
        keep('tool', request, null, []);
        return outcome;
      }),
    },
    judge: (post) => recordPost(post, { keep: (request, reply) => keep('judge', request, reply), elapsedMs, redactor }),
    takeEvents(events) {
      entries.push({ at_ms: tapeClock.now(), kind: 'events', reply: redactSeries(events.map(toPlain), redactor) });
    },
    finish() {
      writeCassette(path, agent, { hidden: [...redactor.used()], entries });
      return undefined;
    },
  };
}

type Keep = (kind: Entry['kind'], request: JsonObject, reply: Json, steps?: Step[]) => void;

/** The bytes of a remote model are recorded on the wire; its chunks move the clock. */
function timeModel(model: Model, tick: () => number, keepTimes: (times: number[]) => void): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const times: number[] = [];
      try {
        for await (const chunk of model.stream(request, options)) {
          times.push(tick());
          yield chunk;
        }
      } finally {
        keepTimes(times);
      }
    },
  };
}

interface Recording {
  keep: Keep;
  tick(): number;
  /** The turn sees what is recorded, so that a replay is the same to it; models and tools get the original values. */
  redactor: Redactor;
}

/** A reply is kept chunk by chunk with its times, and also when it ends in an error. */
function recordModel(model: Model, { tick, keep, redactor }: Recording): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const chunks: Json[] = [];
      const keepChunk = (chunk: ModelChunk): ModelChunk => {
        chunks.push([tick(), toPlain(chunk)]);
        return chunk;
      };
      try {
        for await (const chunk of cleanChunks(model.stream(request, options), redactor)) yield keepChunk(chunk);
      } finally {
        keep('model', modelRequest(request), chunks);
      }
    },
  };
}

/** Holds chunks back while a secret may continue in the next one. */
async function* cleanChunks(chunks: AsyncIterable<ModelChunk>, redactor: Redactor): AsyncGenerator<ModelChunk> {
  const held: JsonObject[] = [];
  const release = () => redactSeries(held.splice(0), redactor) as unknown as ModelChunk[]; // texts are all that changes
  try {
    for await (const chunk of chunks) {
      held.push(toPlain(chunk));
      if (!isSeriesOpen(held, redactor)) yield* release();
    }
  } catch (error) {
    yield* release();
    throw error;
  }
  yield* release();
}

function recordSource(
  source: ToolSource,
  agent: Agent,
  { keep, tick, redactor, lanes }: Recording & { lanes: Lanes },
): ToolSource {
  const kind = requestKind(agent, source.name);
  const recordTool = (tool: Tool): Tool => {
    const shown = redactor.json(toolDefinition(tool)) as unknown as Omit<Tool, 'run'>; // texts are all that changes
    const run: Tool['run'] = async (args, context) => {
      const { steps, watched } = watchSteps(context, redactor);
      const original = JSON.parse(redactor.restore(JSON.stringify(args)));
      const outcome = redactor.json(toPlain(await lanes.endTogether(() => tool.run(original, watched), tick)));
      keep(kind, { tool: tool.name, arguments: args }, outcome, steps);
      return outcome as unknown as ToolOutcome; // texts are all that changes
    };
    // The turn of a member is recorded, not the call.
    return { ...tool, ...shown, run: tool.resumable === true ? tool.run : run };
  };
  const known = new WeakMap<Tool, Tool>();
  return {
    ...source,
    async tools(user, options) {
      const tools = await source.tools(user, options);
      const request = listRequest(agent, source.name, kind === 'tool' ? tools : undefined);
      const wrapped = tools.map((tool) => {
        const found = known.get(tool) ?? recordTool(tool);
        known.set(tool, found);
        return found;
      });
      keep(kind, request, wrapped.map(toolDefinition));
      return wrapped;
    },
  };
}

function watchSteps(context: ToolContext, redactor: Redactor): { steps: Step[]; watched: ToolContext } {
  const steps: Step[] = [];
  const watched: ToolContext = {
    ...context,
    progress(text) {
      const progress = redactor.text(text);
      steps.push({ progress });
      context.progress(progress);
    },
    ask(question) {
      const ask = redactor.json(toPlain(question)) as typeof question; // texts are all that changes
      steps.push({ ask });
      return context.ask(ask);
    },
  };
  return { steps, watched };
}
