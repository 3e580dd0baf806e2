import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolSource } from '../../tools/tool.ts';
import { type Entry, hashOf, writeCassette } from './cassette.ts';
import type { Tape } from './tape.ts';
import { createTapeClock } from './tape-clock.ts';
import { kindOf, modelRequest, toolDefinition, toPlain } from './tape-request.ts';

export interface RecordOptions {
  agent: Agent;
  clock: Clock;
  ids: Ids;
  path: string;
}

/** Records a case: every model reply, tool call, tool list, id and time, and the events that came of them. */
export function createRecorder({ agent, clock, ids, path }: RecordOptions): Tape {
  const entries: Entry[] = [];
  const startMs = clock.now();
  const start = clock.date();
  const tapeClock = createTapeClock(clock, start);
  entries.push({ at_ms: 0, kind: 'clock', reply: start.toISOString() });
  const tick = () => {
    tapeClock.moveTo(Math.round(clock.now() - startMs));
    return tapeClock.elapsedMs;
  };
  const keepId = <T extends string>(id: T): T => {
    entries.push({ at_ms: tapeClock.elapsedMs, kind: 'id', reply: id });
    return id;
  };
  const keep: Keep = (kind, request, reply) => {
    // The chunks of a model's reply moved the clock already.
    const at_ms = kind === 'model' ? tapeClock.elapsedMs : tick();
    entries.push({ at_ms, kind, request_hash: hashOf(JSON.stringify(request)), request, reply });
  };
  return {
    clock: tapeClock,
    ids: { ulid: () => keepId(ids.ulid()), uuid: () => keepId(ids.uuid()) },
    tap: {
      ids,
      model: (model) => recordModel(model, { keep, tick }),
      source: (source) => recordSource(source, kindOf(agent, source.name), keep),
    },
    takeEvents(events) {
      entries.push({ at_ms: tapeClock.elapsedMs, kind: 'events', reply: events.map(toPlain) });
    },
    finish() {
      writeCassette(path, agent, entries);
      return undefined;
    },
  };
}

type Keep = (kind: Entry['kind'], request: JsonObject, reply: Json) => void;

interface ModelDeps {
  keep: Keep;
  tick(): number;
}

/** A reply is kept chunk by chunk with its times, and also when it ends in an error. */
function recordModel(model: Model, { keep, tick }: ModelDeps): Model {
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

function recordSource(source: ToolSource, kind: 'tool' | 'mcp', keep: Keep): ToolSource {
  const recordTool = (tool: Tool): Tool => ({
    ...tool,
    async run(args, context) {
      const outcome = await tool.run(args, context);
      keep(kind, { tool: tool.name, arguments: args }, toPlain(outcome));
      return outcome;
    },
  });
  const known = new WeakMap<Tool, Tool>();
  return {
    ...source,
    async tools(user, options) {
      const tools = await source.tools(user, options);
      keep(kind, { list: source.name }, tools.map(toolDefinition));
      return tools.map((tool) => {
        const wrapped = known.get(tool) ?? recordTool(tool);
        known.set(tool, wrapped);
        return wrapped;
      });
    },
  };
}
