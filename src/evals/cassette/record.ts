import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolSource } from '../../tools/tool.ts';
import { type Entry, hashOf, type Step, writeCassette } from './cassette.ts';
import type { Tape } from './tape.ts';
import { createTapeClock } from './tape-clock.ts';
import { recordReader } from './tape-files.ts';
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
  const startMs = clock.now();
  const start = clock.date();
  const tapeClock = createTapeClock(clock, start);
  entries.push({ at_ms: 0, kind: 'clock', reply: start.toISOString() });
  const elapsedMs = () => Math.round(clock.now() - startMs);
  const tick = () => {
    tapeClock.moveTo(elapsedMs());
    return tapeClock.elapsedMs;
  };
  const keepId = <T extends string>(id: T, of: { request?: string } = {}): T => {
    entries.push({ at_ms: tapeClock.elapsedMs, kind: 'id', ...of, reply: id });
    return id;
  };
  const keep: Keep = (kind, request, reply, steps = []) => {
    // The chunks of a model's reply moved the clock already.
    const at_ms = kind === 'model' || kind === 'judge' ? tapeClock.elapsedMs : tick();
    const more = steps.length > 0 ? { steps } : {};
    entries.push({ at_ms, kind, request_hash: hashOf(JSON.stringify(request)), request, reply, ...more });
  };
  const keepTimes = (times: number[]) =>
    void entries.push({ at_ms: tapeClock.elapsedMs, kind: 'clock', request: CHUNK_TIMES, reply: times });
  const ofModel = { request: MODEL_ID };
  return {
    clock: tapeClock,
    ids: { ulid: () => keepId(ids.ulid()), uuid: () => keepId(ids.uuid()) },
    tap: {
      ids,
      modelIds: { ulid: () => keepId(ids.ulid(), ofModel), uuid: () => keepId(ids.uuid(), ofModel) },
      post: (post) => recordPost(post, { keep: (request, reply) => keep('model', request, reply), elapsedMs }),
      model: (model, { isRemote }) => (isRemote ? timeModel(model, tick, keepTimes) : recordModel(model, tick, keep)),
      source: (source) => recordSource(source, agent, keep),
      reader: (reader) => recordReader(reader, (request, reply) => keep('file', request, reply)),
    },
    judge: (post) => recordPost(post, { keep: (request, reply) => keep('judge', request, reply), elapsedMs }),
    takeEvents(events) {
      entries.push({ at_ms: tapeClock.elapsedMs, kind: 'events', reply: events.map(toPlain) });
    },
    finish() {
      writeCassette(path, agent, entries);
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

/** A reply is kept chunk by chunk with its times, and also when it ends in an error. */
function recordModel(model: Model, tick: () => number, keep: Keep): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const chunks: Json[] = [];
      try {
        for await (const chunk of model.stream(request, options)) {
          chunks.push([tick(), toPlain(chunk)]);
          yield chunk;
        }
      } finally {
        keep('model', modelRequest(request), chunks);
      }
    },
  };
}

function recordSource(source: ToolSource, agent: Agent, keep: Keep): ToolSource {
  const kind = requestKind(agent, source.name);
  const recordTool = (tool: Tool): Tool => ({
    ...tool,
    async run(args, context) {
      const { steps, watched } = watchSteps(context);
      const outcome = await tool.run(args, watched);
      keep(kind, { tool: tool.name, arguments: args }, toPlain(outcome), steps);
      return outcome;
    },
  });
  const known = new WeakMap<Tool, Tool>();
  return {
    ...source,
    async tools(user, options) {
      const tools = await source.tools(user, options);
      const request = listRequest(agent, source.name, kind === 'tool' ? tools : undefined);
      keep(kind, request, tools.map(toolDefinition));
      return tools.map((tool) => {
        const wrapped = known.get(tool) ?? recordTool(tool);
        known.set(tool, wrapped);
        return wrapped;
      });
    },
  };
}

function watchSteps(context: ToolContext): { steps: Step[]; watched: ToolContext } {
  const steps: Step[] = [];
  const watched: ToolContext = {
    ...context,
    progress(text) {
      steps.push({ progress: text });
      context.progress(text);
    },
    ask(question) {
      steps.push({ ask: question });
      return context.ask(question);
    },
  };
  return { steps, watched };
}
