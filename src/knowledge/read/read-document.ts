import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FileReader } from '../../files/file-reader.ts';
import { htmlToMarkdown } from '../../files/html.ts';
import { jsonLinesToText, jsonToText } from '../../files/json.ts';
import { LIMITS } from '../../files/limits.ts';
import { recordsToText } from '../../files/records.ts';
import type { Records } from '../../schema/knowledge/entry.ts';
import type { TextKind } from '../cut/blocks.ts';
import type { DocumentState } from '../knowledge.ts';
import { fileTypeOf } from './file-types.ts';
import { describe, type FoundFile } from './find-files.ts';

/** Size and times of a file: equal values mean that it was not written since. Undefined if it is gone. */
export async function stampOf(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(file, { bigint: true });
    return [size, mtimeNs, ctimeNs, ino].join(' ');
  } catch {
    return undefined;
  }
}

export interface FileVersion {
  /** The beginning of the file's SHA-256. */
  version: string;
  size: number;
  /** The content of files that are small enough to be kept. */
  bytes?: Buffer;
}

const KEPT_BYTES = 1024 * 1024;

/** Hashes a file. One that is too large to be read is not hashed: its size is its version. */
export async function versionOf(file: string, signal?: AbortSignal): Promise<FileVersion | { problem: string }> {
  try {
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let { size } = await stat(file);
    if (size > LIMITS.fileBytes) return { version: String(size), size };
    size = 0;
    for await (const chunk of createReadStream(file, { signal, end: LIMITS.fileBytes })) {
      hash.update(chunk);
      size += chunk.length;
      if (size <= KEPT_BYTES) chunks.push(chunk);
    }
    const bytes = size <= KEPT_BYTES && { bytes: Buffer.concat(chunks) };
    return { version: hash.digest('hex').slice(0, 16), size, ...bytes };
  } catch (error) {
    return { problem: describe(error) };
  }
}

export interface DocumentText extends Pick<DocumentState, 'state' | 'reason'> {
  text: string;
  kind: TextKind;
  /** A title that is not in the text, such as that of a web page. */
  title?: string;
}

/** Reads a file as text. Never throws: a file without readable text has the state `unread`, one that is gone a problem. */
export async function readDocument(
  { file, path }: FoundFile,
  { size, bytes }: FileVersion,
  { reader, signal, records }: { reader: FileReader; signal: AbortSignal; records?: Records | undefined },
): Promise<DocumentText | { problem: string }> {
  const type = fileTypeOf(file);
  if (!type) return { text: '', kind: 'markdown', state: 'unread', reason: 'is of a type that cannot be read' };
  const { mimeType: mime_type, kind, convert } = type;
  let problem: string | undefined;
  const open = () => createReadStream(file).on('error', (error) => (problem = describe(error)));
  const source = () => (bytes ? Readable.from([bytes]) : open());
  if (size === 0) return { text: '', kind, state: 'read' };
  if (bytes?.includes(0) && mime_type.startsWith('text/') && !isWide(bytes))
    return { text: '', kind, state: 'unread', reason: 'is binary, not text' };
  const reading = await reader.read({ filename: path, mime_type, size, open: source }, { signal });
  if (problem !== undefined) return { problem };
  const state = reading.verdict === 'refused' ? 'unread' : reading.verdict === 'partly' ? 'partly' : 'read';
  const reason = state === 'read' ? {} : { reason: reading.detail };
  if (records && /\.(?:[ct]sv|json|jsonl|ndjson)$/i.test(file))
    return { text: await recordsToText(reading.text, path, records), kind: 'records', state, ...reason };
  if (convert === 'html') return { ...htmlToMarkdown(reading.text), kind, state, ...reason };
  const text = convert === 'json' ? jsonToText(reading.text) : convert ? jsonLinesToText(reading.text) : reading.text;
  return { text, kind, state, ...reason };
}

/** UTF-16 has zeros too; the reader detects it. */
function isWide(bytes: Buffer): boolean {
  return bytes.length % 2 === 0;
}
