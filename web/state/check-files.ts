import type { MimeType } from '../../src/schema/file.ts';
import { STRINGS } from '../strings.ts';

const MOST_FILES = 10;
const LARGEST = 50 * 1024 * 1024;
const LARGEST_TOGETHER = 100 * 1024 * 1024;

/** Types by the end of the name, for systems that give a file no type. */
const TYPES: Record<string, MimeType> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  csv: 'text/csv',
  md: 'text/markdown',
};

export const ACCEPTED = Object.keys(TYPES)
  .map((end) => `.${end}`)
  .join(',');

export interface CheckedFile {
  file: File;
  /** Why it cannot be sent. */
  problem?: string;
}

/** Faults that the server would refuse the whole message for are shown before it is sent. */
export function checkFiles(files: readonly File[]): CheckedFile[] {
  let together = 0;
  return files.map((file, index) => {
    together += file.size;
    const problem = problemOf(file, index, together);
    return { file, ...(problem && { problem }) };
  });
}

function problemOf(file: File, index: number, together: number): string | undefined {
  if (index >= MOST_FILES) return STRINGS.files.tooMany;
  if (file.size === 0) return STRINGS.files.empty;
  if (file.size > LARGEST) return STRINGS.files.tooBig;
  if (together > LARGEST_TOGETHER) return STRINGS.files.tooBigTogether;
  return typeOf(file) ? undefined : STRINGS.files.wrongType;
}

function typeOf({ name, type }: File): MimeType | undefined {
  const known = Object.values(TYPES).find((mimeType) => mimeType === type);
  return known ?? TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''];
}

/** The file with its type by its name, where the browser knows none: the server checks the declared type. */
export function withType(file: File): File {
  const type = typeOf(file);
  return !type || file.type === type ? file : new File([file], file.name, { type });
}
