import { onTestFinished } from 'vitest';
import { answerMessage } from '../../src/cli/chat/answer.ts';
import type { Chat } from '../../src/cli/chat/chat.ts';
import { resumeConversation } from '../../src/cli/chat/resume.ts';
import { createLinesRenderer } from '../../src/cli/render/plain-renderer.ts';
import { systemClock } from '../../src/clock.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { createScriptedModel, type ScriptedReply } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { ALICE, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { readFrames, type SseFrame, serveRuntime } from '../server/server.ts';
import { buildTeam, delegateTo, handBack, handOver } from './team.ts';

/** A step of a conversation. `again` and `edit` take the place of the n-th message of the path. */
export type Step = { say: string } | { stop: string } | { again: number } | { edit: [number, string] } | Word;
type Word = 'allow' | 'deny' | 'restart';

/** A front that a person uses. Each method returns what the person then sees: who speaks and what, or what is asked. */
interface Talk {
  say(text: string): Promise<string>;
  decide(isAllowed: boolean): Promise<string>;
  /** After a restart. */
  reopen(scene: OpenScene): Promise<void>;
}

/** A team, whose messages say what its agents do: `lead: >billing; billing: look, Hello`. */
export async function openScene(folder: string = temporaryFolder()) {
  const ran: string[] = [];
  const tools = ['look', 'note', 'refund'].map((name) =>
    buildTool({ name, readOnly: name === 'look', needsApproval: name === 'refund', run: () => ran.push(name) }),
  );
  const source = {
    name: 'test',
    tools: async () => tools,
    status: () => ({ state: 'ready' as const, tools: [] }),
    close: async () => {},
  };
  const lead = buildTeam('lead', {
    handoffs: ['billing', 'sales'],
    sub_agents: ['checker'],
    team_limits: { delegations: 2 },
    parts: { server: { rate_limit: { turns_per_minute: 10_000 } } },
    members: {
      billing: { sub_agents: ['clerk'], members: { clerk: {} } },
      sales: { handoffs: ['north'], members: { north: {} } },
      checker: { parts: { loop: { max_iterations: 3 } } },
    },
  });
  let hung = Promise.withResolvers<void>();
  let skippedMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
  const model = createScriptedModel((request) => {
    const reply = play(request);
    if (typeof reply !== 'object') return reply;
    if (reply.hang) hung.resolve();
    // The time that the reply takes is over at once.
    const { delayMs = 0, ...quick } = reply;
    skippedMs += delayMs;
    return quick;
  });
  const runtime = await createRuntime({ agents: [lead], folder, model, sources: [source], clock });
  onTestFinished(() => runtime.stop());
  const server = await serveRuntime(runtime);
  const untilHung = async () => {
    await hung.promise;
    hung = Promise.withResolvers();
  };
  return { runtime, model, lead, folder, ran, untilHung, ...server };
}

export type OpenScene = Awaited<ReturnType<typeof openScene>>;

/** The message says what an agent does, and the request how far it is. */
function play({ system, messages, tools }: ModelRequest): ScriptedReply {
  const [whole = ''] = system.split('\n');
  const name = whole.trim().split('/').at(-1) ?? '';
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const content = messages[at]?.content ?? '';
  const [text = ''] = content.split('\n');
  const left = content.split(`\n${name} handed the conversation over to `).length - 1;
  const done = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  const parts = text.split(';').map((part) => part.trim());
  const own = parts.find((part) => part.startsWith(`${name}:`))?.slice(name.length + 1);
  const step = own?.split('/')[left]?.split(',')[done]?.trim();
  if (tools.length === 0) return `${name} sums up`;
  if (step === 'hang') return { hang: true };
  if (step === 'read') return messages.at(-1)?.content ?? '';
  if (step === 'slow') return { calls: toCall('look', text), delayMs: MEMBER_MS };
  if (step === undefined) return `${name} is here`;
  const [calls, words] = [step.split('&').flatMap((action) => toCall(action.trim(), text)), step.split('&')[0]?.trim()];
  return calls.length === 0 ? (words ?? '') : { calls, ...(words && !isCall(words) && { text: words }) };
}

const TOOLS = ['look', 'note', 'refund'];
/** Of 60 seconds, a call has 55, and its member 49.5: calls until 45.4, and an answer until 48.7. */
const MEMBER_MS = 46_000;

function isCall(action: string): boolean {
  return TOOLS.includes(action) || /^[<>+]/.test(action);
}

function toCall(action: string, text: string) {
  if (TOOLS.includes(action)) return [{ name: action }];
  if (action === '<') return [handBack('not mine')];
  if (action.startsWith('>')) return [handOver(action.slice(1).replace('!', ''), action.endsWith('!') ? '' : 'theirs')];
  return action.startsWith('+') ? [delegateTo(action.slice(1), text)] : [];
}

interface Shown {
  status: string;
  content: string;
  agent?: string;
  asked?: { call_id: string; tool: string; agent: string }[];
  tool_calls: { id: string; name: string; state: string }[];
  session_id: string;
}

class RestTalk implements Talk {
  #open: string[] = [];
  session = '';
  scene: OpenScene;

  constructor(scene: OpenScene) {
    this.scene = scene;
  }

  async say(message: string): Promise<string> {
    const session = this.session && { session_id: this.session };
    return this.#read(await this.scene.call('POST /agent/lead/chat', { body: { message, ...session } }));
  }

  async decide(approved: boolean): Promise<string> {
    const body = this.#open.map((call_id) => ({ call_id, approved }));
    return this.#read(await this.scene.call(`POST /sessions/${this.session}/resume`, { body }));
  }

  async reopen(scene: OpenScene): Promise<void> {
    this.scene = scene;
  }

  async #read(response: Response): Promise<string> {
    const shown = (await response.json()) as Shown; // each row compares what is read
    this.session = shown.session_id;
    if (shown.status !== 'waiting') return seen(shown.status, shown.agent, shown.content);
    const own = shown.tool_calls.filter(({ state, name }) => state === 'waiting' && TOOLS.includes(name));
    const members = shown.asked ?? [];
    this.#open = [...own.map(({ id }) => id), ...members.map(({ call_id }) => call_id)];
    return `? ${[...own.map(({ name }) => name), ...members.map(({ agent, tool }) => `${agent}: ${tool}`)].join()}`;
  }
}

interface Interrupt {
  id: string;
  metadata: { tool: string; agent?: string };
}

class AguiTalk implements Talk {
  #interrupts: Interrupt[] = [];
  scene: OpenScene;
  thread: string;

  constructor(scene: OpenScene, thread: string = crypto.randomUUID()) {
    this.scene = scene;
    this.thread = thread;
  }

  say(content: string, id: string = crypto.randomUUID()): Promise<string> {
    return this.#run({ messages: [{ id, role: 'user', content }] });
  }

  decide(approved: boolean): Promise<string> {
    const resume = this.#interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved } }));
    return this.#run({ messages: [], resume });
  }

  async reopen(scene: OpenScene): Promise<void> {
    this.scene = scene;
  }

  async #run(parts: object): Promise<string> {
    const body = { threadId: this.thread, runId: crypto.randomUUID(), protocolVersion: '1.0', ...parts };
    return this.#read(await readFrames(await this.scene.call('POST /awp', { body })));
  }

  #read(frames: SseFrame[]): string {
    const events = frames.map(({ data }) => data);
    const end = events.at(-1) ?? {};
    const outcome = end.outcome as { type: string; interrupts?: Interrupt[] } | undefined;
    if (outcome?.type === 'interrupt') {
      this.#interrupts = outcome.interrupts ?? [];
      return `? ${this.#interrupts.map(({ metadata: { agent, tool } }) => (agent ? `${agent}: ${tool}` : tool)).join()}`;
    }
    const start = events.findLast(({ type }) => type === 'TEXT_MESSAGE_START');
    const texts = events.filter(
      ({ type, messageId }) => type === 'TEXT_MESSAGE_CONTENT' && messageId === start?.messageId,
    );
    const status = outcome?.type === 'success' ? 'completed' : (outcome?.type ?? String(end.type));
    return seen(status, start?.name as string | undefined, texts.map(({ delta }) => delta).join(''));
  }
}

/** The chat of the terminal on plain lines; a person reads what it prints and answers what it asks. */
class TerminalTalk implements Talk {
  #printed = '';
  #asked = Promise.withResolvers<void>();
  #answer: ((said: string) => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #chat: Chat;

  constructor(scene: OpenScene) {
    this.#chat = this.#openChat(scene);
  }

  say(text: string): Promise<string> {
    this.#printed = '';
    this.#turn = answerMessage(this.#chat, text);
    return this.#see();
  }

  decide(isAllowed: boolean): Promise<string> {
    this.#asked = Promise.withResolvers();
    this.#printed = '';
    this.#answer?.(isAllowed ? 'y' : 'n');
    return this.#see();
  }

  async reopen(scene: OpenScene): Promise<void> {
    const { conversationId } = this.#chat;
    this.#chat = this.#openChat(scene);
    this.#asked = Promise.withResolvers();
    const found = conversationId && (await scene.runtime.readConversation(ALICE, conversationId));
    if (!found) return;
    this.#turn = resumeConversation(this.#chat, found);
    await this.#see();
  }

  async #see(): Promise<string> {
    const isAsked = await Promise.race([this.#asked.promise.then(() => true), this.#turn.then(() => false)]);
    const [, who, member = who] = /\? (\S+) wants to (?:run|call (\S+)) with/.exec(this.#printed) ?? [];
    if (isAsked) return member === who ? `? ${who}` : `? ${who}: ${member}`;
    const [, name, text = ''] = /.*\n?^(\w+):\n([^\n]*)\n/ms.exec(this.#printed) ?? [];
    return seen(this.#printed.includes('stopped\n') ? 'cancelled' : 'completed', name, text);
  }

  #openChat({ runtime, lead, folder }: OpenScene): Chat {
    const write = (text: string) => {
      this.#printed += text;
    };
    const print = (text: string) => write(`${text}\n`);
    const front = {
      ...{ isTerminal: true, keepsTyped: false, width: 100, print, printExact: print, printError: print },
      read: async () => undefined,
      ask: () => {
        this.#asked.resolve();
        return new Promise<string>((resolve) => {
          this.#answer = resolve;
        });
      },
      createRenderer: () => createLinesRenderer({ write, width: 100, verbose: false, quiet: false }),
      setBusy() {},
      end() {},
      close() {},
    };
    const settings = { verbose: false, quiet: false, choices: [], listed: [], attachments: [], overrides: {} };
    const state = { lastResult: undefined, causes: [], notices: [], stop: undefined, warnedAt: 0, interrupts: 0 };
    const commands = { command: '', pageCommand: '', modelCommand: '' };
    const parts = { agent: lead, ...commands, conversationId: undefined, allowed: new Set<string>() };
    const closing = new AbortController().signal;
    const opened = { runtime, folder } as Chat['opened']; // the parts that an answer reads
    const remind = async () => {};
    return { runtime, user: ALICE, opened, front, ...parts, ...settings, ...state, remind, closing, state: 'active' };
  }
}

function seen(status: string, agent: string | undefined, text: string): string {
  if (status === 'cancelled') return 'stopped';
  return status === 'completed' ? `${agent}: ${text}` : `${status} ${text}`;
}

interface Played {
  seen: string[];
  ran: string[];
}

const FRONTS = {
  REST: (scene: OpenScene) => new RestTalk(scene),
  'AG-UI': (scene: OpenScene) => new AguiTalk(scene),
  terminal: (scene: OpenScene) => new TerminalTalk(scene),
};
export type FrontName = keyof typeof FRONTS;
export const FRONT_NAMES = Object.keys(FRONTS) as FrontName[];

/** Plays the steps on one front; returns what the person saw, and the tools that ran. A restart ends the given scene. */
export async function playTalk(front: FrontName, steps: readonly Step[], opened: OpenScene): Promise<Played> {
  let scene = opened;
  const ran: string[] = [];
  const takeRan = () => ran.push(...scene.ran.splice(0));
  const talk = FRONTS[front](scene);
  const shown: string[] = [];
  const conversation = async () => {
    const [newest] = await scene.runtime.listConversations(ALICE, { limit: 1 });
    return newest?.id ?? '';
  };
  /** Answers of the past are regenerated and edited on the page, whichever front began the conversation. */
  const answerAgain = async (index: number, text?: string) => {
    const id = await conversation();
    const messages = await scene.runtime.readMessages(ALICE, id, { last: 100 });
    const message = messages.filter(({ role }) => role === 'user')[index];
    if (message?.role !== 'user') throw new Error('there is no such message');
    const page = new AguiTalk(scene, talk instanceof AguiTalk ? talk.thread : id);
    return page.say(text ?? message.content, message.client_id ?? message.id);
  };
  for (const step of steps) {
    if (step === 'restart') {
      await scene.runtime.stop();
      takeRan();
      scene = await openScene(scene.folder);
      await talk.reopen(scene);
    } else if (step === 'allow' || step === 'deny') shown.push(await talk.decide(step === 'allow'));
    else if ('say' in step) shown.push(await talk.say(step.say));
    else if ('again' in step) shown.push(await answerAgain(step.again));
    else if ('edit' in step) shown.push(await answerAgain(...step.edit));
    else shown.push(await stopWhenSilent(scene, talk.say(step.stop), conversation));
  }
  takeRan();
  return { seen: shown, ran };
}

/** Stops the turn once a model hangs: its agent has nothing more to do. */
async function stopWhenSilent(scene: OpenScene, turn: Promise<string>, conversation: () => Promise<string>) {
  await scene.untilHung();
  await scene.runtime.cancel(ALICE, await conversation());
  return turn;
}
