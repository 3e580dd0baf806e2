import * as z from 'zod';
import { lazyStrict } from './json.ts';

export const MIME_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'text/plain',
  'text/csv',
  'text/markdown',
] as const;

export const MimeType = z.enum(MIME_TYPES);
export type MimeType = z.infer<typeof MimeType>;

/** A file inside a JSON request. */
export const FileContent = lazyStrict(() => ({
  content: z.base64().min(1, 'must not be empty'),
  mime_type: MimeType,
  filename: z.string().max(255).optional(),
}));
export type FileContent = z.infer<typeof FileContent>;

/** A file as recorded in its message. The file itself is not stored. */
export const FileNote = lazyStrict(() => ({
  filename: z.string(),
  mime_type: z.string(),
  /** 0 for a file that was given as a URL. */
  size: z.number().int().nonnegative(),
}));
export type FileNote = z.infer<typeof FileNote>;

/** The outcome for an attached file. */
export const FileVerdict = z.lazy(() =>
  z
    .strictObject({
      filename: z.string(),
      /** As declared by the caller. Files of types that are not listed above are refused. */
      mime_type: z.string(),
      verdict: z.enum(['read', 'partly', 'refused']),
      detail: z.string(),
    })
    .refine(({ verdict, mime_type }) => verdict === 'refused' || MimeType.safeParse(mime_type).success, {
      path: ['mime_type'],
      message: 'is not a type that is read',
    }),
);
export type FileVerdict = z.infer<typeof FileVerdict>;
