import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Model, ModelChunk } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Ulid } from '../../schema/ids.ts';
import type { Json } from '../../schema/json.ts';
import type { Tool, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import { agentHash, type Cassette } from './cassette.ts';
import { createSupply, type Supply } from './supply.ts';
import type { Tape } from './tape.ts';
import { createTapeClock } from './tape-clock.ts';
import { describeDifference, kindOf, modelRequest, toPlain } from './tape-request.ts';

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
  const tapeClock = createTapeClock(clock, new Date(String(supply.takeNext('clock')?.reply)));
  const asked = { take: supply.take, inOrder: supply.inOrder, moveTo: tapeClock.moveTo };
  const nextId = <T extends string>(make: () => T): T => {
    const found = supply.takeNext('id');
    return found ? (String(found.reply) as T) : make(); // the recorder wrote an id of this kind
  };
  return {
    clock: tapeClock,
    ids: { ulid: () => nextId<Ulid>(ids.ulid), uuid: () => nextId(ids.uuid) },
    tap: {
      ids,
      model: (model) => replayModel(model.label, asked),
      source: (source) => replaySource(source, kindOf(agent, source.name), asked),
    },
    takeEvents(events) {
      const recorded = supply.takeNext('events')?.reply;
      const now = events.map(toPlain);
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

/** Offers the recorded tools; their server is never started. */
function replaySource(source: ToolSource, kind: 'tool' | 'mcp', { take, inOrder, moveTo }: Asked): ToolSource {
  const known = new Map<string, Tool>();
  const toTool = (definition: Json): Tool => {
    const text = JSON.stringify(definition);
    const tool: Tool = known.get(text) ?? {
      ...(definition as unknown as Omit<Tool, 'run'>), // the recorder wrote a tool without its function
      async run(args) {
        const entry = take(kind, { tool: tool.name, arguments: args });
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
    async tools() {
      const { reply, at_ms } = take(kind, { list: source.name });
      moveTo(at_ms);
      return (reply as Json[]).map(toTool); // the recorder wrote a list
    },
    isStarting: () => false,
    status: () => ({ state: 'ready', tools: [] }),
  };
}
