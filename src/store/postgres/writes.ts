import type { Ids } from '../../ids.ts';
import type { User } from '../../schema/user.ts';
import { encodeMessage } from '../encode.ts';
import { takenOver } from '../interruption.ts';
import { KEY_MS, type TurnRow, toStoredTurn } from '../rows.ts';
import type { BeginTurn, Begun, NewConversation, Store, TurnLease, TurnWrite, UserLimits } from '../store.ts';
import { encodeForPostgres, encodeStorable, storableJson, storableText } from './encode.ts';
import type { GroupWriter } from './group-writer.ts';
import { interruptLeased, recoverTurns } from './interrupt.ts';
import type { Link } from './link.ts';
import type { RunnerLease } from './runner-lease.ts';
import { updateConversation } from './search.ts';
import { unavailable } from './store-error.ts';

export interface WriteDeps {
  /** For single statements beside the groups. */
  link: Link;
  writer: GroupWriter;
  lease: RunnerLease;
  url: string;
  ids: Ids;
  now(): Date;
}

export function writesTo(deps: WriteDeps) {
  const { link, writer, ids, now } = deps;
  const interrupting = () => ({ link, ids, at: now().toISOString() });
  return {
    beginTurn: (user, begin) => beginTurn(deps, user, begin),
    continueTurn: (user, next) => continueTurn(deps, user, next),
    async writeTurn(user, lease, write) {
      const fields = { ...lease, userId: user.id, write: encodeForPostgres(write, lease) };
      const { outcome } = await writer.submit<{ outcome: string }>(operation('write', fields));
      if (outcome !== 'written') throw takenOver();
    },
    interruptTurn: (user, lease) => interruptLeased(interrupting(), user, lease),
    async deleteConversation(user, id) {
      const fields = { id: storableText(id), userId: user.id };
      return (await writer.submit<{ done: boolean }>(operation('deleteConversation', fields))).done;
    },
    async touchConversation(user, id, at) {
      await link.all(TOUCH, at, id, user.id);
    },
    updateConversation: (user, id, changes) => updateConversation(link, user, { id, ...changes }),
    async addAudit(user, records) {
      const bodies = JSON.stringify(records.map((record) => JSON.stringify(record)));
      await link.all(ADD_AUDIT, user.id, bodies);
    },
    addConversation: async (user, made) => {
      await writer.submit(operation('addConversation', encodeConversation(user, made)));
    },
    async setFeedback(user, id, { messageId, ...feedback }) {
      const isEmpty = feedback.rating === null && !feedback.comment;
      if (!isEmpty)
        return (await link.one(SET_FEEDBACK, id, user.id, messageId, JSON.stringify(feedback))) !== undefined;
      const found = await link.one(FIND_ANSWER, id, user.id, messageId);
      if (found) await link.all(REMOVE_FEEDBACK, id, user.id, messageId);
      return found !== undefined;
    },
    async acceptTools(user, of, accepted) {
      await writer.submit(operation('acceptTools', { ...of, userId: user?.id ?? '', accepted }));
    },
    recover: () => recoverTurns(interrupting()),
  } satisfies Partial<Store>;
}

const TOUCH = 'UPDATE conversations SET last_activity = greatest(last_activity, $1) WHERE id = $2 AND user_id = $3';
const ADD_AUDIT = `INSERT INTO audit (user_id, body) SELECT $1, a.value
  FROM jsonb_array_elements_text($2::text::jsonb) WITH ORDINALITY AS a (value, place) ORDER BY a.place`;
const FIND_ANSWER = `SELECT m.conversation FROM messages m JOIN conversations c ON c.number = m.conversation
  WHERE c.id = $1 AND c.user_id = $2 AND m.id = $3 AND m.role = 'assistant'`;
const SET_FEEDBACK = `INSERT INTO feedback (conversation, message_id, body)
  SELECT found.conversation, $3, $4 FROM (${FIND_ANSWER}) found LIMIT 1
  ON CONFLICT (conversation, message_id) DO UPDATE SET body = excluded.body RETURNING 1 AS done`;
const REMOVE_FEEDBACK = `DELETE FROM feedback WHERE message_id = $3
  AND conversation = (SELECT number FROM conversations WHERE id = $1 AND user_id = $2)`;

function operation(name: Parameters<GroupWriter['submit']>[0]['name'], fields: object) {
  return { name, ...fields };
}

type BeginAnswer =
  | { outcome: 'begun'; version: number }
  | { outcome: 'known' | 'busy'; turn: TurnRow }
  | { outcome: 'mismatch' | 'missing' | 'lost' | 'taken' }
  | { outcome: 'limited'; limit: keyof UserLimits };

async function beginTurn(deps: WriteDeps, user: User, begin: BeginTurn): Promise<Begun> {
  const { turnId, conversationId } = begin;
  const fields = encodeBegin(user, begin);
  const { answer, runner } = await asRunner<BeginAnswer>(deps, (runner) => operation('begin', { ...fields, runner }));
  switch (answer.outcome) {
    case 'begun':
      return { outcome: 'begun', lease: { turnId, conversationId, attempt: 1, runner, version: answer.version } };
    case 'known':
    case 'busy':
      return { outcome: answer.outcome, turn: toStoredTurn(answer.turn) };
    case 'lost':
      throw unavailable('this server lost its lease', deps.url);
    case 'taken':
      throw takenOver();
    case 'limited':
      return answer;
    default:
      return { outcome: answer.outcome };
  }
}

/** Repeats an operation once with a new runner id if the lease was over. */
async function asRunner<Answer extends { outcome: string }>(
  { writer, lease }: WriteDeps,
  make: (runner: string) => Parameters<GroupWriter['submit']>[0],
): Promise<{ answer: Answer; runner: string }> {
  const runner = lease.id;
  const answer = await writer.submit<Answer>(make(runner));
  if (answer.outcome !== 'lost') return { answer, runner };
  await lease.check();
  const next = lease.id;
  return { answer: next === runner ? answer : await writer.submit<Answer>(make(next)), runner: next };
}

function encodeBegin(user: User, { write, seed = [], continues, now, ...begin }: BeginTurn) {
  return {
    ...begin,
    userId: user.id,
    status: 'running',
    attempt: 1,
    now,
    keysFrom: new Date(Date.parse(now) - KEY_MS).toISOString(),
    ...(continues && { continues: JSON.stringify(continues) }),
    seed: seed.map(({ turnId, messages }) => ({ turnId, messages: messages.map(encodeMessage), now })),
    write: encodeForPostgres(write, { turnId: begin.turnId, attempt: 1 }),
  };
}

interface ContinueAnswer {
  outcome: 'taken' | 'refused' | 'lost';
  version: number;
  conversationId: string;
}

async function continueTurn(
  deps: WriteDeps,
  user: User,
  { turnId, attempt, write }: { turnId: string; attempt: number; write: TurnWrite },
): Promise<TurnLease | undefined> {
  const fields = { userId: user.id, turnId, attempt, write: encodeForPostgres(write, { turnId, attempt }) };
  const make = (runner: string) => operation('continue', { ...fields, runner });
  const { answer, runner } = await asRunner<ContinueAnswer>(deps, make);
  if (answer.outcome === 'lost') throw unavailable('this server lost its lease', deps.url);
  if (answer.outcome === 'refused') return undefined;
  return { turnId, conversationId: answer.conversationId, attempt, runner, version: answer.version };
}

function encodeConversation(user: User, { turns, metadata, ...made }: NewConversation) {
  return {
    ...made,
    userId: user.id,
    metadata: JSON.stringify(storableJson(metadata)),
    turns: turns.map(({ turnId, createdAt, messages, attachments }) => ({
      turnId,
      now: createdAt,
      messages: messages.map(encodeMessage),
      attachments: attachments.map(encodeStorable),
    })),
  };
}
