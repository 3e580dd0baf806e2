import { createEventQueue } from '../../agent/event-queue.ts';
import { applyEvent, type TurnState } from '../../agent/turn-state.ts';
import type { Clock } from '../../clock.ts';
import type { FileReader } from '../../files/file-reader.ts';
import type { FileReading } from '../../files/reading.ts';
import { Unreadable } from '../../files/reading.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { FileNote, type FileVerdict, MimeType } from '../../schema/file.ts';
import { timeLimits } from '../../schema/model-limits.ts';
import type { StoreJournal } from '../turn/journal.ts';
import type { AttachedFile } from './attached-file.ts';
import { PICTURE_TEXT_MS, type ShownPictures } from './pictures.ts';

export interface ReadFiles {
  state: TurnState;
  journal: Pick<StoreJournal, 'commitWith' | 'note'>;
  clock: Clock;
  signal: AbortSignal;
  /**
   * The files that came with this attempt, in the message's order; empty if the turn continues after a crash without
   * them.
   */
  files: readonly AttachedFile[];
  openReader(): Promise<FileReader>;
  /** Receives pictures for the model; absent if it reads none. */
  pictures?: ShownPictures | undefined;
  /** The share of the turn's time for reading files. */
  timeMs: number;
}

const PROGRESS_MS = 250;
/** Half of the turn's time is reserved for the answer itself. */
const FILES_SHARE = 1 / 2;
const LOST = 'was lost when the process stopped before it was read; attach it again';
const NOT_READ = 'has a type that is not read';
const NO_TIME = 'was not read: there was no time left for it';

export function filesTimeMs(agent: Agent): number {
  return timeLimits(agent).answer * 1000 * FILES_SHARE;
}

const FileNotes = FileNote.array();

/** The files that the message announced. */
function filesOf(state: TurnState): FileNote[] {
  return FileNotes.safeParse(state.messages[0]?.metadata.files ?? []).data ?? [];
}

/** Reads the message's files that have no verdict yet. Each verdict is committed with its text before it is emitted. */
export async function* readFiles(options: ReadFiles): AsyncGenerator<Event, void> {
  const { state } = options;
  const open = filesOf(state).slice(state.files.length);
  if (open.length === 0) return;
  const queue = createEventQueue();
  const done = readAll(options, open, queue.push).then(queue.end, queue.fail);
  yield* queue.events();
  await done;
}

type Emit = (...events: Event[]) => void;

/** Reads all files concurrently (the reader limits how many) and emits verdicts in the message's order. */
async function readAll(options: ReadFiles, notes: readonly FileNote[], emit: Emit): Promise<void> {
  const { state, clock, timeMs } = options;
  const late = new AbortController();
  const cancelTimer = clock.after(timeMs, () => late.abort(new Unreadable(NO_TIME)));
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    const begin = state.files.length;
    const readings = notes.map((note, index) =>
      readOne(options, { note, file: options.files[begin + index], signal, emit }),
    );
    for (const [index, note] of notes.entries()) {
      const reading = await readings[index];
      if (options.signal.aborted || !reading) return;
      const file = options.files[begin + index];
      const shown = file && options.pictures ? await options.pictures.add(file, reading) : reading;
      await settle(options, note, shown, emit);
    }
  } finally {
    cancelTimer();
  }
}

interface One {
  note: FileNote;
  file: AttachedFile | undefined;
  signal: AbortSignal;
  emit: Emit;
}

async function readOne(
  { openReader, journal, clock, pictures }: ReadFiles,
  { note, file, signal, emit }: One,
): Promise<FileReading & { isCutShort?: boolean }> {
  if (!file) return refuse(LOST);
  const type = MimeType.safeParse(file.mime_type);
  if (file.refused !== undefined || !type.success) return refuse(file.refused ?? NOT_READ);
  let emittedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (text: string) => {
    if (clock.now() - emittedAt < PROGRESS_MS) return;
    emittedAt = clock.now();
    emit(journal.note({ type: 'file-progress', filename: note.filename, text }));
  };
  const reader = await openReader();
  const readable = { ...file, mime_type: type.data };
  if (!pictures || !type.data.startsWith('image/')) return reader.read(readable, { signal, onProgress });
  const late = new AbortController();
  const cancelTimer = clock.after(PICTURE_TEXT_MS, () => late.abort(new Unreadable(NO_TIME)));
  const either = AbortSignal.any([signal, late.signal]);
  const reading = await reader.read(readable, { signal: either, onProgress }).finally(cancelTimer);
  return { ...reading, isCutShort: reading.verdict === 'refused' && late.signal.aborted };
}

function refuse(detail: string): FileReading {
  return { verdict: 'refused', detail, text: '' };
}

async function settle({ state, journal }: ReadFiles, note: FileNote, reading: FileReading, emit: Emit): Promise<void> {
  const { filename, mime_type } = note;
  const { verdict, detail, text } = reading;
  const file: FileVerdict = { filename, mime_type, verdict, detail };
  const body = { type: 'file' as const, file };
  const events = await journal.commitWith(
    { attachments: [{ message_id: state.messages[0]?.id ?? '', ...file, text }] },
    body,
  );
  applyEvent(state, body);
  emit(...events);
}
