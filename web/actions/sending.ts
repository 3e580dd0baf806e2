import { isProblem, newId } from '../api/api.ts';
import type { Accepted } from '../api/shapes.ts';
import { pendingTurnId } from '../state/apply-event.ts';
import { type Conversation, changeTurn, leavePath, putTurn, removeTurn } from '../state/conversation.ts';
import { describeError, type PageDeps } from '../state/deps.ts';
import { currentAgent, draftKeyOf } from '../state/page-state.ts';
import { createTurn, type Question, type Turn } from '../state/turn.ts';
import { STRINGS } from '../strings.ts';

const DETACHED = { prefer: 'respond-async' };

/** Answer to one thing that a turn waits for. */
export interface Decision {
  interruptId: string;
  payload: unknown;
}

export interface Sending {
  send(text: string, files: readonly File[]): Promise<void>;
  /** Sends a message once more that the server did not accept. The same ids make it the same turn. */
  sendAgain(turn: Turn): Promise<void>;
  /** Answers the question of a turn again; with another text, as a branch. */
  answerAgain(turn: Turn, text?: string): Promise<void>;
  stop(): Promise<void>;
  decide(decisions: readonly Decision[]): Promise<void>;
  continueTurn(): Promise<void>;
}

interface Message {
  question: Question;
  runId: string;
  files: readonly File[];
}

export function createSending(deps: PageDeps, onAccepted: (accepted: Accepted) => void): Sending {
  const { api, store, storage } = deps;
  const unsent = new Map<string, Message>();
  const change = (next: (conversation: Conversation) => Conversation) =>
    store.update((state) => ({ ...state, conversation: next(state.conversation) }));

  const submit = async (message: Message) => {
    const id = pendingTurnId(message.question.id);
    const draftKey = draftKeyOf(store.get());
    const isShown = (sessionId?: string) => {
      const { conversation } = store.get();
      return id in conversation.turns || (sessionId !== undefined && conversation.id === sessionId);
    };
    const agent = currentAgent(store.get())?.name ?? '';
    unsent.set(id, message);
    change((conversation) => {
      const turn = { ...createTurn(id, 'sending'), question: message.question, startedAt: new Date().toISOString() };
      return putTurn(leavePath(conversation, message.question.id, id), turn);
    });
    try {
      const accepted = await post(deps, message);
      unsent.delete(id);
      // Another conversation was opened meanwhile; the list shows the new one.
      if (!isShown(accepted.session_id)) return;
      change((conversation) => acceptTurn({ ...conversation, agent }, id, accepted));
      moveDraft(draftKey, draftKeyOf(store.get()));
      onAccepted(accepted);
    } catch (error) {
      if (isProblem(error, 401) || !isShown()) return keepDraft(draftKey, id, message);
      const failure = isProblem(error)
        ? { code: error.code, message: describeError(error) }
        : { code: 'unreachable', message: STRINGS.unreachable.title };
      change((conversation) => changeTurn(conversation, id, (turn) => ({ ...turn, status: 'unsent', failure })));
    }
  };
  /** After the sign-in, or back in its conversation, the text is in the composer again. */
  const keepDraft = (draftKey: string, id: string, { question }: Message) => {
    storage.writeDraft(draftKey, question.text);
    change((conversation) => removeTurn(conversation, id));
  };
  /** A new conversation has its id now; the text that was written meanwhile belongs to it. */
  const moveDraft = (from: string, to: string) => {
    if (from === to) return;
    storage.writeDraft(to, storage.readDraft(from));
    storage.writeDraft(from, '');
  };
  return {
    send(text, files) {
      const notes = files.map(({ name, type, size }) => ({ filename: name, mime_type: type, size }));
      return submit({ question: { id: newId(), text, files: notes }, runId: newId(), files });
    },
    async sendAgain(turn) {
      const message = unsent.get(turn.id);
      if (message) await submit(message);
    },
    async answerAgain({ question }, text = question?.text ?? '') {
      if (question) await submit({ question: { ...question, text }, runId: newId(), files: [] });
    },
    async stop() {
      const { id } = store.get().conversation;
      if (id) await api.read(`/sessions/${id}/cancel`, { method: 'POST' });
    },
    async decide(decisions) {
      const resume = decisions.map(({ interruptId, payload }) => ({ interruptId, status: 'resolved', payload }));
      await api.read(`${agentPath(deps)}/awp`, {
        json: runInput(deps, newId(), { messages: [], resume }),
        headers: DETACHED,
      });
    },
    async continueTurn() {
      const { id } = store.get().conversation;
      if (id) await api.read(`/sessions/${id}/continue`, { method: 'POST', headers: DETACHED });
    },
  };
}

function post(deps: PageDeps, { question, runId, files }: Message): Promise<Accepted> {
  const { api, store } = deps;
  if (files.length === 0) {
    const message = { id: question.id, role: 'user', content: question.text };
    return api.read(`${agentPath(deps)}/awp`, {
      json: runInput(deps, runId, { messages: [message] }),
      headers: DETACHED,
    });
  }
  // Files travel as a form: base64 in JSON is limited to 20 MB and would block the page while it is made.
  const form = new FormData();
  form.set('message', question.text);
  const { id } = store.get().conversation;
  if (id) form.set('session_id', id);
  for (const file of files) form.append('files', file, file.name);
  return api.read(`${agentPath(deps)}/chat`, { form, headers: { ...DETACHED, 'idempotency-key': runId } });
}

function agentPath({ store }: PageDeps): string {
  return `/agent/${encodeURIComponent(currentAgent(store.get())?.name ?? '')}`;
}

function runInput({ store }: PageDeps, runId: string, parts: { messages: unknown[]; resume?: unknown[] }) {
  const threadId = store.get().conversation.id ?? newId();
  return { threadId, runId, protocolVersion: '1.0', state: {}, tools: [], context: [], forwardedProps: {}, ...parts };
}

/** The stream may have brought the turn already; then only the stand-in goes away. */
function acceptTurn(conversation: Conversation, pendingId: string, accepted: Accepted): Conversation {
  const named: Conversation = { ...conversation, id: accepted.session_id, state: 'ready' };
  const pending = named.turns[pendingId];
  if (!pending) return named;
  const cleared = removeTurn(named, pendingId);
  const known = cleared.turns[accepted.turn_id];
  const question = pending.question;
  const turn = known
    ? { ...known, ...(question && { question }) }
    : { ...pending, id: accepted.turn_id, status: 'running' as const };
  return putTurn(cleared, turn);
}
