import type { Model, ModelChunk, ModelRequest } from '../../models/model.ts';
import type { Message } from '../../schema/conversation/message.ts';
import type { User } from '../../schema/user.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import { chat } from './chat.ts';
import { isSummaryRequest } from './summary.ts';
import type { ChatDeps, ChatTurn } from './turn.ts';

const REQUEST =
  'Sum up our conversation so far: what was asked, what was done and with which results, and what is still open. ' +
  'We go on from your summary alone.';
const LINE_CHARS = 160;
const DIGEST_CHARS = 6000;

export interface CompactInput {
  agent: string;
  conversationId: string;
  idempotencyKey?: string;
}

/**
 * Creates a summary in a turn of its own, without tools. Later turns send the model that summary instead of the
 * messages before it. Nothing is deleted; a failed summary changes nothing.
 */
export async function compact(deps: ChatDeps, user: User, input: CompactInput): Promise<ChatTurn> {
  const findAgent = (name: string) => withoutTools(deps.findAgent(name));
  return chat({ ...deps, findAgent }, user, { ...input, message: REQUEST, metadata: { compacts: true } });
}

function withoutTools(ready: ReadyAgent): ReadyAgent {
  const isBuiltin = ready.agent.model.provider === 'builtin';
  const offer: ReadyAgent['offer'] = async () => ({ offered: new Map(), refusals: [], notes: [] });
  // A summary is prose, whatever format the agent's answers have, and no answer that members read.
  const { response_format: _, then: _readers, ...agent } = ready.agent;
  return { ...ready, agent, offer, ...(isBuiltin && { model: createDigestModel(ready.model.label) }) };
}

/** For the built-in model, which writes no summaries: lists every message with the beginning of its answer. */
function createDigestModel(label: string): Model {
  async function* stream(request: ModelRequest): AsyncGenerator<ModelChunk> {
    yield { type: 'text', text: digest(request.messages.slice(0, -1)) };
    yield { type: 'finish', reason: 'stop' };
  }
  return { label, stream };
}

function digest(messages: readonly Message[]): string {
  const lines = messages.flatMap((message) => {
    if (message.content.trim() === '' || message.role === 'tool' || isSummaryRequest(message)) return [];
    return [message.role === 'user' ? `- ${clip(message.content)}` : `  → ${clip(message.content)}`];
  });
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.toReversed()) {
    chars += line.length;
    if (chars > DIGEST_CHARS) break;
    kept.unshift(line);
  }
  return kept.length === 0 ? 'Nothing was said yet.' : `So far:\n${kept.join('\n')}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS - 1)}…` : line;
}
