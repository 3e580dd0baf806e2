import type { BegunTurn, Prepared } from '../../agent/run-stateless.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import type { User } from '../../schema/user.ts';
import type { StoredAttachment } from '../../store/store.ts';
import { FIRST_WAIT_MS, type ReadyAgent } from '../agents/ready-agent.ts';
import type { AttachedFile } from './attached-file.ts';
import { loadAttachments } from './attachments.ts';
import { createShownPictures, picturesOf } from './pictures.ts';
import { filesTimeMs, readFiles } from './read-files.ts';

interface StatelessFiles {
  ready: ReadyAgent;
  user: User;
  files: readonly AttachedFile[];
  openReader(): Promise<FileReader>;
}

/** Reads the files of a stateless turn; their texts stay in memory until the turn ends. */
export async function* readStatelessFiles(
  { ready, user, files, openReader }: StatelessFiles,
  begun: BegunTurn,
): AsyncGenerator<Event, Prepared> {
  const { agent } = ready;
  const kept: StoredAttachment[] = [];
  const journal = {
    note: begun.journal.note,
    commitWith(more: { attachments?: StoredAttachment[] }, ...bodies: Parameters<BegunTurn['journal']['commit']>) {
      kept.push(...(more.attachments ?? []));
      return begun.journal.commit(...bodies);
    },
  };
  const pictures = createShownPictures(agent);
  yield* readFiles({ ...begun, journal, files, openReader, pictures, timeMs: filesTimeMs(agent) });
  const store = {
    readAttachments: async () => kept.map((file) => ({ ...file, total_chars: file.text.length })),
    readAttachmentText: async (_user: User, _conversationId: string, index: number) => kept[index]?.text,
  };
  const { shown, tool } = await loadAttachments({ store, user, conversationId: '', limits: modelLimits(agent) });
  const clientTools = tool ? [tool] : [];
  const { signal } = begun;
  const { offered, notes, late } = await ready.offer(user, { clientTools, signal, waitMs: FIRST_WAIT_MS });
  return {
    tools: offered,
    notes,
    attached: shown,
    ...picturesOf(begun.state.messages[0]?.id, pictures),
    ...(late && { late }),
  };
}
