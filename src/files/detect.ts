import type { MimeType } from '../schema/file.ts';
import { openZip } from './office/zip.ts';
import { Unreadable } from './reading.ts';

const NAMES: Record<MimeType, string> = {
  'image/png': 'a PNG picture',
  'image/jpeg': 'a JPEG picture',
  'image/gif': 'a GIF picture',
  'image/webp': 'a WebP picture',
  'application/pdf': 'a PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'a Word document (docx)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'an Excel workbook (xlsx)',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'a PowerPoint presentation (pptx)',
  'text/plain': 'text',
  'text/csv': 'text',
  'text/markdown': 'text',
};

/** Checks the type by content; throws if it is not supported, or differs from the declared type. */
export async function checkType(bytes: Buffer, declared: MimeType): Promise<void> {
  const found = await detectType(bytes);
  const isSame = found === 'text' ? declared.startsWith('text/') : found === declared;
  if (isSame) return;
  const name = found === 'text' ? 'text' : NAMES[found];
  throw new Unreadable(`was said to be ${NAMES[declared]}, but is ${name}`);
}

/** The type of the content. Text types are indistinguishable. */
export async function detectType(bytes: Buffer): Promise<Exclude<MimeType, `text/${string}`> | 'text'> {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'image/gif';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  // Readers search for the PDF mark in the first kilobyte, because mail programs put lines before it.
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'application/pdf';
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0x50, 0x4b, 0x05, 0x06]))
    return officeType(bytes);
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new Unreadable(describeOle(bytes));
  return 'text';
}

async function officeType(bytes: Buffer): Promise<Exclude<MimeType, `text/${string}`>> {
  const { findMainPart } = await import('./office/office-parts.ts');
  const main = await findMainPart(openZip(bytes));
  if (main) return main.type;
  throw new Unreadable('is a ZIP archive and no Office document; attach the files in it one by one');
}

/** Office stores an encrypted document in the container of its old formats. */
function describeOle(bytes: Buffer): string {
  const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  if (isEncrypted) return 'is protected by a password; attach it without one';
  return 'is of an old Office format (doc, xls, ppt); save it as docx, xlsx or pptx';
}

function startsWith(bytes: Buffer, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
