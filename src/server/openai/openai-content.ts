import * as z from 'zod';
import type { FileContent } from '../../schema/file.ts';
import { lazyLoose } from '../../schema/json.ts';
import type { Path } from '../../yaml/problem.ts';
import { parseRequest } from '../http/parse.ts';
import { addressedFile, type UnreadFile } from '../rest/attachments.ts';

const FilePart = lazyLoose(() => ({
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  filename: z.string().nullish(),
}));
const Part = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }),
    z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
    z.looseObject({
      type: z.enum(['image_url', 'input_image']),
      image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
    }),
    z.looseObject({ type: z.literal('file'), file: FilePart }),
    FilePart.unwrap().extend({ type: z.literal('input_file') }),
  ]),
);

/** The content of a message: text, or parts, in the names of chat completions and of responses. */
export const OpenaiContent = z.lazy(() => z.union([z.string(), z.array(Part).max(100)]));
export type OpenaiContent = z.infer<typeof OpenaiContent>;

export function textOf(content: OpenaiContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : [])).join('');
}

/** The files of a message. A file that cannot be read is refused by its verdict; the turn continues. */
export function filesOf(content: OpenaiContent, where: Path): (FileContent | UnreadFile)[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part, index) => {
    const place = [...where, index];
    if (part.type === 'image_url' || part.type === 'input_image') {
      const { image_url: image } = part;
      return [addressedFile(typeof image === 'string' ? image : image.url, undefined, place)];
    }
    if (part.type === 'file') return [sentFile(part.file, [...place, 'file'])];
    return part.type === 'input_file' ? [sentFile(part, place)] : [];
  });
}

function sentFile(part: z.infer<typeof FilePart>, place: Path): FileContent | UnreadFile {
  const given = parseRequest(z.string('must be the file as a data URL'), part.file_data ?? part.file_url, [
    ...place,
    'file_data',
  ]);
  const name = part.filename?.slice(0, 255);
  return { ...addressedFile(given, undefined, [...place, 'file_data']), ...(name && { filename: name }) };
}
