import type { StoredTurn, TurnPage } from '../api/shapes.ts';
import type { Conversation } from './conversation.ts';
import { type Call, createTurn, isRunning, type Part, splitChecks, type Turn } from './turn.ts';

/** Puts stored turns (newest first) in front of the ones that the stream has brought. */
export function mergeTurns(conversation: Conversation, { turns, next_before: before }: TurnPage): Conversation {
  const { before: _before, ...rest } = conversation;
  const stored = turns.toReversed();
  const known = stored.map((turn) => mergeTurn(conversation.turns[turn.id], turn));
  const ids = new Set(known.map((turn) => turn.id));
  return {
    ...rest,
    state: 'ready',
    order: placeOthers([...ids], conversation.order),
    turns: { ...conversation.turns, ...Object.fromEntries(known.map((turn) => [turn.id, turn])) },
    ...(before && { before }),
  };
}

/** Turns that the store does not have, such as an unsent message, stay in front of the turn that follows them. */
function placeOthers(stored: readonly string[], shown: readonly string[]): string[] {
  const order = [...stored];
  for (const [index, id] of [...shown.entries()].toReversed()) {
    if (order.includes(id)) continue;
    const next = shown[index + 1];
    order.splice(next === undefined ? order.length : order.indexOf(next), 0, id);
  }
  return order;
}

/** The stream is ahead of the store while a turn runs; afterwards the store knows more: times, domains, feedback. */
function mergeTurn(streamed: Turn | undefined, stored: StoredTurn): Turn {
  const kept = fromStored(stored);
  if (!streamed?.place) return kept;
  const question = kept.question ?? streamed.question;
  const isOpen = isRunning(streamed) || streamed.status === 'waiting' || !stored.result;
  const facts = {
    isActive: kept.isActive,
    ...(question && { question }),
    ...(kept.startedAt && { startedAt: kept.startedAt }),
    ...(kept.replaces && { replaces: kept.replaces }),
    ...(kept.feedback && { feedback: kept.feedback }),
    ...(kept.failure && { failure: kept.failure }),
  };
  if (isOpen) return { ...streamed, ...facts };
  const calls = Object.fromEntries(
    Object.entries(streamed.calls).map(([id, call]) => [id, { ...call, ...kept.calls[id] }]),
  );
  const endedAt = kept.endedAt ?? streamed.endedAt;
  return { ...streamed, ...facts, calls, facts: { ...streamed.facts, ...kept.facts }, ...(endedAt && { endedAt }) };
}

type StoredCall = NonNullable<NonNullable<StoredTurn['result']>['tool_calls']>[number];

/** A turn that has ended, as the store keeps it. */
function fromStored(stored: StoredTurn): Turn {
  const { result, user_message: message } = stored;
  const calls = Object.fromEntries((result?.tool_calls ?? []).map((call) => [call.id, toCall(call)]));
  const question = message && {
    question: { id: message.client_id ?? message.id, text: message.content, files: message.files ?? [] },
  };
  const endedAt = stored.ended_at;
  return {
    ...createTurn(stored.id, stored.status),
    ...question,
    isActive: stored.active,
    startedAt: stored.started_at ?? stored.created_at,
    parts: partsOf(stored),
    calls,
    ...splitChecks(result?.checks ?? []),
    files: result?.files ?? [],
    facts: factsOf(stored),
    ...(result?.routing && { routing: result.routing }),
    ...(stored.run_id && { runId: stored.run_id }),
    ...(stored.replaces && { replaces: stored.replaces }),
    ...(endedAt && { endedAt }),
    ...(result?.error && { failure: failureOf(result.error, stored.cause) }),
    ...(stored.feedback && { feedback: stored.feedback }),
  };
}

function failureOf({ code, message }: { code: string; message: string }, cause: string | undefined) {
  return { code, message, ...(cause && { cause }) };
}

function toCall(call: StoredCall): Call {
  return {
    id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    ...(call.sent_arguments && { sent: JSON.stringify(call.sent_arguments) }),
    state: call.state,
    ...(call.domain && { domain: call.domain }),
    ...(call.result !== undefined && { result: call.result }),
    ...(call.error && { error: call.error.message }),
    ...(call.started_at && { startedAt: call.started_at }),
    ...(call.duration_ms !== undefined && { durationMs: call.duration_ms }),
    ...(call.delegation && { member: { agent: call.delegation.agent, turnId: call.delegation.turn_id } }),
    ...(call.repeats && { repeats: call.repeats }),
  };
}

/** Texts and calls in the order of the turn's messages. */
function partsOf({ id, result, partial }: StoredTurn): Part[] {
  const messages = (result?.messages ?? []).filter((message) => message.role === 'assistant');
  const parts = messages.flatMap((message): Part[] => [
    ...(message.content ? [{ kind: 'text' as const, id: message.id, text: message.content }] : []),
    ...(message.tool_calls
      ? [{ kind: 'calls' as const, id: `${message.id}.calls`, calls: message.tool_calls.map((call) => call.id) }]
      : []),
  ]);
  if (parts.some((part) => part.kind === 'text')) return joinCalls(parts);
  const text = result?.content || partial;
  const missing = (result?.tool_calls ?? []).map((call) => call.id);
  const calls: Part[] =
    parts.length === 0 && missing.length > 0 ? [{ kind: 'calls', id: `${id}.calls`, calls: missing }] : parts;
  const by = result?.agent ? { agent: result.agent } : {};
  return joinCalls(text ? [...calls, { kind: 'text', id: `${id}.text`, text, ...by }] : calls);
}

/** Calls of steps that follow each other without text are one piece. */
function joinCalls(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'calls' && last?.kind === 'calls') {
      joined[joined.length - 1] = { ...last, calls: [...last.calls, ...part.calls] };
    } else joined.push(part);
  }
  return joined;
}

function factsOf({ result }: StoredTurn): Turn['facts'] {
  if (!result) return {};
  const { messages, content: _content, tool_calls: _calls, checks: _checks, routing: _routing, ...facts } = result;
  const answer = messages?.findLast((message) => message.role === 'assistant');
  return { ...facts, ...(answer && { message_id: answer.id }) };
}
