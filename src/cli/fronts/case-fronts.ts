import { buffer } from 'node:stream/consumers';
import { AppError } from '../../errors.ts';
import type { CaseFront, FrontTurn } from '../../evals/run/run-fronts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { jsonLine } from '../render/renderer.ts';
import { openInsideServer, watchRuntime } from './inside-server.ts';

/** The terminal with `--json`: one event per line. */
const terminal: CaseFront = {
  name: 'terminal',
  open(given) {
    const { runtime, takeWaits } = watchRuntime(given);
    const conversations = new Map<string, string>();
    return {
      async send(user, { message, files, approve }) {
        const known = conversations.get(user.id);
        const input = { agent: agentOf(runtime), message, files, ...(known && { conversationId: known }) };
        let turn = await runtime.chat(user, input);
        conversations.set(user.id, turn.conversationId);
        for (let lines = ''; ; ) {
          for await (const event of turn.events) {
            lines += jsonLine(event);
            if (turn.pausesAt?.(event)) break;
          }
          const answers = takeWaits(approve);
          if (answers.length === 0) return lines;
          turn = await runtime.answer(user, { conversationId: turn.conversationId, answers });
        }
      },
      close: async () => {},
    };
  },
};

const rest: CaseFront = {
  name: 'REST',
  open(given) {
    const { runtime, takeWaits, conversationId } = watchRuntime(given);
    const server = openInsideServer(runtime);
    const conversations = new Map<string, string>();
    return {
      async send(user, { message, files, approve }) {
        const known = conversations.get(user.id);
        const inline = await readFiles(files);
        const body = { message, ...(inline.length > 0 && { files: inline }), ...(known && { session_id: known }) };
        let bytes = await server.post(user, `/agent/${agentOf(runtime)}/chat/stream`, body);
        conversations.set(user.id, conversationId());
        for (;;) {
          const answers = takeWaits(approve);
          if (answers.length === 0) return bytes;
          bytes += await server.post(user, `/sessions/${conversationId()}/resume`, answers);
        }
      },
      close: server.close,
    };
  },
};

const agui: CaseFront = {
  name: 'AG-UI',
  open(given) {
    const { runtime, takeWaits } = watchRuntime(given);
    const server = openInsideServer(withoutTasks(runtime));
    let runs = 0;
    return {
      async send(user, { message, files, approve }) {
        const run = (input: object) => {
          const shared = { threadId: user.id, tools: [], context: [], state: {}, forwardedProps: {} };
          return server.post(user, `/agent/${agentOf(runtime)}/awp`, { ...shared, runId: `run-${++runs}`, ...input });
        };
        const parts = (await readFiles(files)).map(({ content: value, mime_type: mimeType, filename }) => ({
          type: mimeType.startsWith('image/') ? 'image' : 'document',
          source: { type: 'data', value, mimeType },
          metadata: { filename },
        }));
        const content = [{ type: 'text', text: message }, ...parts];
        let bytes = await run({ messages: [{ id: `message-${runs + 1}`, role: 'user', content }] });
        for (;;) {
          const resume = takeWaits(approve).map(({ call_id: interruptId, approved }) =>
            approved
              ? { interruptId, status: 'resolved', payload: { approved } }
              : { interruptId, status: 'cancelled' },
          );
          if (resume.length === 0) return bytes;
          bytes += await run({ messages: [], resume });
        }
      },
      close: server.close,
    };
  },
};

/** Repeated tools change no store, so the state that AG-UI shares cannot hold the tasks of the recording. */
function withoutTasks(runtime: Runtime): Runtime {
  const listTasks = () => Promise.reject(new AppError('not_found', { detail: 'Tasks are not repeated.' }));
  return { ...runtime, listTasks };
}

/** The fronts through which a recorded case is repeated. */
export const CASE_FRONTS: readonly CaseFront[] = [terminal, rest, agui];

function agentOf({ agents }: { agents: readonly { name: string }[] }): string {
  return agents[0]?.name ?? '';
}

function readFiles(files: FrontTurn['files']) {
  return Promise.all(
    files.map(async ({ filename, mime_type, open }) => ({
      filename,
      mime_type,
      content: (await buffer(open())).toString('base64'),
    })),
  );
}
