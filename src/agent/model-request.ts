import type { ModelRequest, Pictures, ToolDefinition } from '../models/model.ts';
import { stepKey } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import { CHARS_PER_TOKEN, PICTURE_TOKENS } from '../schema/conversation/token-usage.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { withAttached, withStarted } from './attached-text.ts';
import { noteForModel } from './earlier-calls.ts';
import { buildMessages, systemPrompt } from './prompt.ts';
import { formatOf, repairMessages } from './reply/answer-format.ts';
import { type RunningTurn, type TeamPlace, type TurnDeps, toolsNow } from './running-turn.ts';
import { turnMessages } from './turn-state.ts';

/** The parts of a turn that a request is made of. */
export interface RequestTurn extends Pick<RunningTurn, 'state' | 'latecomers'> {
  deps: Pick<
    TurnDeps,
    'agent' | 'user' | 'zone' | 'attached' | 'notes' | 'history' | 'tools' | 'toolChoice' | 'traceparent' | 'pictures'
  > & {
    clock: Pick<TurnDeps['clock'], 'date'>;
    team?: Pick<TeamPlace, 'read'> | undefined;
  };
}

/** Returns the request of a turn's next model call. */
export function toModelRequest(
  turn: RequestTurn,
  { withTools }: { withTools: boolean },
  maxTokens?: number,
): ModelRequest {
  const { state, deps } = turn;
  const { agent, user, clock, zone } = deps;
  const now = clock.date();
  const read = (message: Message) => withAttached(message, deps.attached);
  const { tool_output_chars: maxChars } = agent.limits;
  const whole = withStarted(turnMessages(state, maxChars).map(read), state, maxChars);
  const messages = deps.team?.read(whole) ?? whole;
  const notes = [...(deps.notes ?? []), ...noteForModel(state.alreadyRan)];
  const system = systemPrompt({ instructions: agent.instructions, user, now, zone, notes });
  const tools = withTools ? [...toolsNow(turn).values()].map((offered) => offered.definition) : [];
  const context_tokens =
    maxTokens ?? roomForMessages(modelLimits(agent).context_tokens, { system, tools, pictures: deps.pictures });
  const format = formatOf(turn);
  const toolChoice = withTools && state.iterations === 0 ? deps.toolChoice : undefined;
  return {
    system,
    changing: system.slice(agent.instructions.trim().length).trimStart(),
    messages: [
      ...buildMessages(deps.history.map(read), messages, { context_tokens }),
      ...repairMessages(state, now.toISOString()),
    ],
    ...(deps.pictures && { pictures: deps.pictures }),
    tools,
    ...(toolChoice && { toolChoice }),
    ...(format && { responseFormat: format }),
    now,
    ...(zone.name !== undefined && { timezone: zone.name }),
    ...(state.routing && { routing: state.routing }),
    ...(deps.traceparent && { traceparent: deps.traceparent(stepKey(state.iterations + 1)) }),
  };
}

/** Instructions, tools and pictures are counted first; messages keep at least half of the context. */
function roomForMessages(
  tokens: number,
  { system, tools, pictures }: Pick<ModelRequest, 'system' | 'tools'> & { pictures: Pictures | undefined },
): number {
  const shown = [...(pictures?.values() ?? [])].reduce((sum, list) => sum + list.length, 0);
  const chars =
    shown * PICTURE_TOKENS * CHARS_PER_TOKEN +
    system.length +
    tools.reduce((sum, tool) => sum + definitionChars(tool), 0);
  return Math.max(Math.floor(tokens / 2), tokens - Math.ceil(chars / CHARS_PER_TOKEN));
}

const definitionSizes = new WeakMap<ToolDefinition, number>();

function definitionChars(tool: ToolDefinition): number {
  const known = definitionSizes.get(tool);
  if (known !== undefined) return known;
  const chars = JSON.stringify(tool).length;
  definitionSizes.set(tool, chars);
  return chars;
}
