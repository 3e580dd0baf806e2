import * as z from 'zod';
import type { FileContent } from '../../schema/file.ts';
import type { Path } from '../../yaml/problem.ts';
import { parseRequest } from '../http/parse.ts';
import { byAddress, dataFile, type UnreadFile } from '../rest/attachments.ts';

const Part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio', 'video', 'document']), source: z.looseObject({ type: z.string() }) }),
  /** The part type of clients from before parts had a `source`. */
  z.looseObject({ type: z.literal('binary'), mimeType: z.string(), data: z.string().nullish() }),
]);

/** The content of an AG-UI message: text, or parts. */
export const Content = z.union([z.string(), z.array(Part).max(100)]);
export type Content = z.infer<typeof Content>;

const Source = z.looseObject({ value: z.string().nullish(), mimeType: z.string().max(255).nullish() });
const Binary = z.looseObject({ url: z.string().nullish(), mimeType: z.string().max(255).nullish() });

/** Older parts carry the file name themselves, newer ones in their metadata. */
const FileName = z
  .looseObject({
    filename: z.string().nullish(),
    metadata: z.looseObject({ filename: z.string().nullish() }).nullish(),
  })
  .transform(({ filename, metadata }) => (filename ?? metadata?.filename)?.slice(0, 255));

export function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The files of a message. A file that cannot be read is refused by its verdict; the run continues. */
export function filesOf(content: Content, where: Path): (FileContent | UnreadFile)[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part, index) => {
    if (part.type === 'text') return [];
    const place = [...where, index];
    const file = part.type === 'binary' ? binaryFile(part, place) : sourceFile(part.source, [...place, 'source']);
    const filename = FileName.safeParse(part).data;
    return [{ ...file, ...(filename && { filename }) }];
  });
}

function sourceFile(source: { type: string }, place: Path): FileContent | UnreadFile {
  const { value, mimeType } = parseRequest(Source, source, place);
  if (source.type !== 'data') return byAddress(value ?? '', mimeType);
  return dataFile(value, mimeType, [...place, 'value']);
}

function binaryFile(part: { data?: string | null | undefined }, place: Path): FileContent | UnreadFile {
  const { url, mimeType } = parseRequest(Binary, part, place);
  return part.data ? dataFile(part.data, mimeType, [...place, 'data']) : byAddress(url ?? '', mimeType);
}
