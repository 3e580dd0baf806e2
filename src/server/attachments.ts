import { AppError } from '../errors.ts';
import { MAX_FILES } from '../schema/chat.ts';
import { type FileContent, MimeType } from '../schema/file.ts';

const MB = 1024 * 1024;
export const MAX_FILE_BYTES = 50 * MB;
export const MAX_TOTAL_BYTES = 100 * MB;
/** Inside JSON all files together; above that a form is the way. */
const MAX_INLINE_BYTES = 20 * MB;
/** The files as base64, and room for the rest. */
export const MAX_JSON_BYTES = 28 * MB;

/** A file as it was sent, with its bytes. */
export interface Attachment {
  filename: string;
  mime_type: string;
  bytes: Uint8Array;
}

/** The files of a JSON request, within what JSON may carry. */
export function decodeFiles(files: readonly FileContent[]): Attachment[] {
  const total = files.reduce((sum, file) => sum + decodedBytes(file.content), 0);
  if (total > MAX_INLINE_BYTES) {
    const detail = 'Files inside JSON may have 20 MB together. Send larger ones as multipart/form-data.';
    throw new AppError('payload_too_large', { detail });
  }
  return files.map((file, index) => ({
    filename: file.filename ?? `file-${index + 1}`,
    mime_type: file.mime_type,
    bytes: Buffer.from(file.content, 'base64'),
  }));
}

function decodedBytes(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** Throws for a file that may not be sent at all; what is inside it is judged later. */
function checkAttachments(files: readonly Attachment[]): void {
  if (files.length > MAX_FILES) throw invalidFile('', `at most ${MAX_FILES} files`);
  for (const [index, { mime_type, bytes }] of files.entries()) {
    if (!MimeType.safeParse(mime_type).success) throw invalidFile(`${index}.mime_type`, 'this type is not read here');
    if (bytes.length === 0) throw invalidFile(`${index}.content`, 'must not be empty');
    if (bytes.length > MAX_FILE_BYTES) throw tooLarge('A file may have 50 MB.');
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > MAX_TOTAL_BYTES) throw tooLarge('All files together may have 100 MB.');
}

/** Nothing reads files yet, so a message with files is refused instead of answered without them. */
export function refuseAttachments(files: readonly Attachment[]): void {
  checkAttachments(files);
  if (files.length === 0) return;
  throw new AppError('not_supported', {
    detail: 'Attached files are not read yet. Put the text into the message.',
    problems: [{ path: 'files', message: 'not supported yet' }],
  });
}

export function invalidFile(path: string, message: string): AppError {
  const where = path === '' ? 'files' : `files.${path}`;
  return new AppError('invalid_request', { detail: `${where}: ${message}`, problems: [{ path: where, message }] });
}

export function tooLarge(detail: string): AppError {
  return new AppError('payload_too_large', { detail });
}
