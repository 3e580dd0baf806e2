import { createEventQueue } from '../agent/event-queue.ts';
import { applyEvent, type TurnState } from '../agent/turn-state.ts';
import type { Clock } from '../clock.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { FileReading } from '../files/reading.ts';
import { Unreadable } from '../files/unreadable.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';
import { FileNote, type FileVerdict, MimeType } from '../schema/file.ts';
import type { AttachedFile } from './attached-file.ts';
import type { StoreJournal } from './journal.ts';

export interface ReadFiles {
  state: TurnState;
  journal: Pick<StoreJournal, 'commitWith' | 'note'>;
  clock: Clock;
  signal: AbortSignal;
  /** The files that came with this attempt, in the message's order; none when it goes on after a crash without them. */
  files: readonly AttachedFile[];
  openReader(): Promise<FileReader>;
  /** What file reading may take of the turn's time. */
  timeMs: number;
}

const PROGRESS_MS = 250;
/** Reading files leaves half of the answer's time to the answer. */
const FILES_SHARE = 1 / 2;
const LOST = 'was lost when the process stopped before it was read; attach it again';
const NOT_READ = 'has a type that is not read';
const NO_TIME = 'was not read: there was no time left for it';

export function filesTimeMs({ loop }: Agent): number {
  return loop.answer_timeout_seconds * 1000 * FILES_SHARE;
}

const FileNotes = FileNote.array();

/** What the message said that it brings. */
function filesOf(state: TurnState): FileNote[] {
  return FileNotes.safeParse(state.messages[0]?.metadata.files ?? []).data ?? [];
}

/**
 * Reads the message's files that have no verdict yet, each verdict committed with its text before it is told.
 */
export async function* readFiles(options: ReadFiles): AsyncGenerator<Event, void> {
  const { state } = options;
  const open = filesOf(state).slice(state.files.length);
  if (open.length === 0) return;
  const queue = createEventQueue();
  const done = readAll(options, open, queue.push).then(queue.end, queue.fail);
  yield* queue.events();
  await done;
}

type Tell = (...events: Event[]) => void;

/** All at once (the reader takes a few at a time), and told in the message's order. */
async function readAll(options: ReadFiles, notes: readonly FileNote[], tell: Tell): Promise<void> {
  const { state, clock, timeMs } = options;
  const late = new AbortController();
  const cancelTimer = clock.after(timeMs, () => late.abort(new Unreadable(NO_TIME)));
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    const begin = state.files.length;
    const readings = notes.map((note, index) =>
      readOne(options, { note, file: options.files[begin + index], signal, tell }),
    );
    for (const [index, note] of notes.entries()) {
      const reading = await readings[index];
      if (options.signal.aborted || !reading) return;
      await settle(options, note, reading, tell);
    }
  } finally {
    cancelTimer();
  }
}

interface One {
  note: FileNote;
  file: AttachedFile | undefined;
  signal: AbortSignal;
  tell: Tell;
}

async function readOne(
  { openReader, journal, clock }: ReadFiles,
  { note, file, signal, tell }: One,
): Promise<FileReading> {
  if (!file) return refuse(LOST);
  const type = MimeType.safeParse(file.mime_type);
  if (file.refused !== undefined || !type.success) return refuse(file.refused ?? NOT_READ);
  let toldAt = Number.NEGATIVE_INFINITY;
  const onProgress = (text: string) => {
    if (clock.now() - toldAt < PROGRESS_MS) return;
    toldAt = clock.now();
    tell(journal.note({ type: 'file-progress', filename: note.filename, text }));
  };
  const reader = await openReader();
  return reader.read({ ...file, mime_type: type.data }, { signal, onProgress });
}

function refuse(detail: string): FileReading {
  return { verdict: 'refused', detail, text: '' };
}

async function settle({ state, journal }: ReadFiles, note: FileNote, reading: FileReading, tell: Tell): Promise<void> {
  const { filename, mime_type } = note;
  const { verdict, detail, text } = reading;
  const file: FileVerdict = { filename, mime_type, verdict, detail };
  const body = { type: 'file' as const, file };
  const events = await journal.commitWith(
    { attachments: [{ message_id: state.messages[0]?.id ?? '', ...file, text }] },
    body,
  );
  applyEvent(state, body);
  tell(...events);
}
