import { type BegunTurn, runStateless } from '../agent/run-stateless.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { EarlierMessage } from '../schema/earlier-message.ts';
import type { Event } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText, type TextCheck } from '../schema/user-text.ts';
import { type AttachedFile, cleanFiles, discardFiles, noteFiles } from './attached-file.ts';
import { readHistory } from './caller-history.ts';
import { defaultFolder } from './default-folder.ts';
import { createLazyReader, type OcrOptions } from './lazy-reader.ts';
import { FIRST_WAIT_MS, type ReadyAgent } from './ready-agent.ts';
import { makeReady } from './runtime.ts';
import { shownEvent, shownResult } from './shown.ts';
import { readStatelessFiles } from './stateless-files.ts';

export interface RunAgentOptions {
  agent: Agent;
  user: User;
  message: string;
  /**
   * Earlier messages, yours to keep: `{ role, content }`, or `messages` of each result put behind the others. The
   * model reads the texts of user and assistant; calls and tool results are left out with a notice.
   */
  history?: readonly (EarlierMessage | Message)[];
  /** Read before the model is asked; `files` of the result tells what became of each. Their text is part of this turn only. */
  files?: readonly AttachedFile[];
  /** Which languages the text in pictures may be in; English unless given. */
  ocr?: OcrOptions;
  signal?: AbortSignal;
  /** Checks of your own that the message passes, after those of ours. */
  textChecks?: readonly TextCheck[];
  /** Instead of the model that the agent names. */
  model?: Model;
  /** Where tools of ours keep their tables; `.holodeck` next to the agent.yaml unless given, the user's data folder for agents of this package. */
  folder?: string;
}

/** One turn, stateless: no conversation is stored. The last event, and the generator's return value, hold the result. */
export async function* runAgent(options: RunAgentOptions): AsyncGenerator<Event, TurnResult> {
  try {
    const files = cleanFiles(options.files ?? []);
    const { limits } = options.agent;
    cleanUserText(options.message, limits.message_chars, options.textChecks);
    const given = readHistory(options.history, { limits, at: new Date().toISOString() });
    const { agent, model, folder = defaultFolder(options.agent) } = options;
    const ready = await makeReady(agent, { folder, ...(model && { model }) });
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

/** A caller's history is text only, so the caller needs no state of the model's. */
async function* shownEvents(turn: AsyncGenerator<Event, TurnResult>): AsyncGenerator<Event, TurnResult> {
  try {
    for (;;) {
      const next = await turn.next();
      if (next.done) return shownResult(next.value);
      yield shownEvent(next.value);
    }
  } finally {
    // Ends the turn when its caller has left; nobody reads the value.
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
  if (files.length === 0) {
    const { offered, notes, late } = await ready.offer(user, { signal, waitMs: FIRST_WAIT_MS });
    const lateTools = late && { late };
    return yield* runStateless({ ...options, model, plugins, tools: offered, notes, ...lateTools });
  }
  const { openReader, close } = createLazyReader({ ...(ocr && { ocr }) });
  const prepare = (begun: BegunTurn) => readStatelessFiles({ ready, user, files, openReader }, begun);
  try {
    // What is offered is asked for once the files are read, with the tool that reads on in them.
    return yield* runStateless({ ...options, model, plugins, tools: new Map(), metadata: noteFiles(files), prepare });
  } finally {
    await close();
  }
}
