import { type BegunTurn, runStateless } from '../agent/run-stateless.ts';
import { systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { systemIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { EarlierMessage } from '../schema/conversation/chat.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText, type TextCheck } from '../schema/user-text.ts';
import type { CodeTool } from '../tools/functions/code-tools.ts';
import { makeReady } from './agents/make-ready.ts';
import { FIRST_WAIT_MS, type ReadyAgent } from './agents/ready-agent.ts';
import { createBudget } from './budget.ts';
import { checkFormat } from './check-format.ts';
import { defaultFolder } from './default-folder.ts';
import { type AttachedFile, cleanFiles, discardFiles, noteFiles } from './files/attached-file.ts';
import { createLazyReader, type OcrOptions } from './files/lazy-reader.ts';
import { readStatelessFiles } from './files/stateless-files.ts';
import { shownEvent, shownResult } from './shown.ts';
import { readHistory } from './turn/caller-history.ts';

export interface RunAgentOptions {
  agent: Agent;
  user: User;
  message: string;
  /**
   * Earlier messages: `{ role, content }`, or the concatenated `messages` of earlier results. The model reads the texts
   * of user and assistant; calls and tool results are left out, with a notice.
   */
  history?: readonly (EarlierMessage | Message)[];
  /**
   * Files that are read before the model is called; `files` of the result reports each verdict. Their text is part of
   * this turn only.
   */
  files?: readonly AttachedFile[];
  /** Functions of your program, added to the tools of the agent. */
  tools?: readonly CodeTool[];
  /** Languages of text in pictures; default: English. */
  ocr?: OcrOptions;
  /** The JSON Schema of the answer, in place of the agent's own `response_format`. */
  responseFormat?: JsonObject;
  signal?: AbortSignal;
  /** Your own checks of the message, run after the built-in ones. */
  textChecks?: readonly TextCheck[];
  /** Replaces the model that the agent names. */
  model?: Model;
  /**
   * Where built-in tools store their tables; default: `.holodeck` next to agent.yaml, or the user's data folder for
   * agents of this package.
   */
  folder?: string;
  /** Receives diagnostics that users do not see, such as the exception of a tool; without it they are dropped. */
  log?: Log;
}

/**
 * Runs one stateless turn: no conversation is stored. The last event and the generator's return value hold the result.
 */
export async function* runAgent(options: RunAgentOptions): AsyncGenerator<Event, TurnResult> {
  try {
    const files = cleanFiles(options.files ?? []);
    const { limits } = options.agent;
    cleanUserText(options.message, limits.message_chars, options.textChecks);
    refuseStored(options.agent);
    if (options.responseFormat) await checkFormat(options.responseFormat, 'responseFormat');
    const given = readHistory(options.history, { limits, at: systemClock.date().toISOString(), ids: systemIds });
    const ready = await openReady(options);
    try {
      const turn = runReady(ready, { ...options, files, history: given.messages, notices: given.notices });
      return yield* shownEvents(turn);
    } finally {
      await ready.close();
    }
  } finally {
    await discardFiles(options.files);
  }
}

function openReady({ agent, model, tools, log, folder = defaultFolder(agent) }: RunAgentOptions): Promise<ReadyAgent> {
  const given = { ...(model && { model }), ...(tools && { tools }), ...(log && { log }) };
  return makeReady(agent, { folder, clock: systemClock, ids: systemIds, ...given });
}

/** Costs of a day are counted in a store, members work in stored turns, and this turn has no store. */
function refuseStored({ budget, then }: Agent): void {
  const isRead = then !== undefined && then.length > 0;
  if (isRead)
    throw new AppError('config_invalid', { detail: 'then: members work in stored turns. Use createRuntime.' });
  if (budget.per_user_day === undefined && budget.per_day === undefined) return;
  const detail = 'budget: per_user_day and per_day are counted in a store, which runAgent has not. Use createRuntime.';
  throw new AppError('config_invalid', { detail });
}

/** History from a caller is text only, so the caller never needs the model's internal state. */
async function* shownEvents(turn: AsyncGenerator<Event, TurnResult>): AsyncGenerator<Event, TurnResult> {
  try {
    for (;;) {
      const next = await turn.next();
      if (next.done) return shownResult(next.value);
      yield shownEvent(next.value);
    }
  } finally {
    // Ends the turn when its caller has left; the return value is unused.
    await turn.return(undefined as never);
  }
}

interface CheckedOptions extends Omit<RunAgentOptions, 'history'> {
  files: readonly AttachedFile[];
  history: readonly Message[];
  notices: readonly string[];
}

async function* runReady(ready: ReadyAgent, options: CheckedOptions): AsyncGenerator<Event, TurnResult> {
  const { user, signal = new AbortController().signal, ocr, files } = options;
  const { model, plugins } = ready;
  const budget = createBudget({ agent: ready.agent, user, clock: systemClock, spent: 0 });
  if (files.length === 0) {
    const { offered, notes, late } = await ready.offer(user, { signal, waitMs: FIRST_WAIT_MS });
    const lateTools = late && { late };
    return yield* runStateless({ ...options, model, plugins, budget, tools: offered, notes, ...lateTools });
  }
  const { openReader, close } = createLazyReader({ ...(ocr && { ocr }) });
  const prepare = (begun: BegunTurn) => readStatelessFiles({ ready, user, files, openReader }, begun);
  try {
    // Tools are listed after the files are read, so that `read_attachment` is among them.
    return yield* runStateless({
      ...options,
      model,
      plugins,
      budget,
      tools: new Map(),
      metadata: noteFiles(files),
      prepare,
    });
  } finally {
    await close();
  }
}
