import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model, ModelChunk } from '../../models/model.ts';
import { redactSeries } from '../../redaction/series.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Ulid } from '../../schema/ids.ts';
import type { Json } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import { agentHash, type Cassette, type Step } from './cassette.ts';
import { createSupply, type Supply } from './supply.ts';
import type { Tape } from './tape.ts';
import { createTapeClock } from './tape-clock.ts';
import { replayReader } from './tape-files.ts';
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
  const supply = createSupply(cassette);
  const redactor = createReplayRedactor(agent, cassette);
  const take: Supply['take'] = (kind, request) => supply.take(kind, redactor.json(request));
  const tapeClock = createTapeClock(clock, new Date(String(supply.takeNext('clock')?.reply)));
  const { moveTo } = tapeClock;
  const asked = { take, inOrder: supply.inOrder, moveTo };
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

interface Asked extends Pick<Supply, 'take' | 'inOrder'> {
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
function replaySource(source: ToolSource, agent: Agent, { take, inOrder, moveTo }: Asked): ToolSource {
  const kind = requestKind(agent, source.name);
  const known = new Map<string, Tool>();
  const toTool = (definition: Json): Tool => {
    const text = JSON.stringify(definition);
    const tool: Tool = known.get(text) ?? {
      ...(definition as unknown as Omit<Tool, 'run'>), // the recorder wrote a tool without its function
      async run(args, context) {
        const entry = take(kind, { tool: tool.name, arguments: args });
        await repeatSteps(entry.steps ?? [], context);
        await inOrder(entry);
        moveTo(entry.at_ms);
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
      return (reply as Json[]).map(toTool); // the recorder wrote a list
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
