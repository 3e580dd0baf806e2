import { detectType } from '../../files/detect.ts';
import { imageSize } from '../../files/picture/image-size.ts';
import type { FileReading } from '../../files/reading.ts';
import type { Picture, Pictures } from '../../models/model.ts';
import type { Agent } from '../../schema/agent.ts';
import { seesPictures } from '../../schema/model-config.ts';
import type { AttachedFile } from './attached-file.ts';

/** The types that every provider with vision accepts. */
const SHOWN_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
/** Anthropic accepts 5 MB of base64 per picture, which is 3.75 MB of bytes. */
const MAX_BYTES = 3_750_000;
/** All pictures of a message: they stay in memory while the turn runs. */
const MAX_TOTAL_BYTES = 8_000_000;
/** Anthropic's limit for a side. */
const MAX_SIDE = 8_000;

/** Time for the text in a picture that the model sees anyway. The text is for later turns. */
export const PICTURE_TEXT_MS = 5_000;

/** The pictures of a message that go to the model. */
export interface ShownPictures {
  /** Adds a picture, if it can be shown, and says in the reading whether the model gets it. */
  add(file: AttachedFile, reading: FileReading & { isCutShort?: boolean }): Promise<FileReading>;
  list(): readonly Picture[];
}

/** Undefined if no model of the agent reads pictures; the text in them is then all that a model gets. */
export function createShownPictures({ model }: Agent): ShownPictures | undefined {
  if (!seesPictures(model) && !(model.fallback && seesPictures(model.fallback))) return undefined;
  const pictures: Picture[] = [];
  let total = 0;
  return {
    async add(file, { isCutShort = false, ...reading }) {
      const canRead = reading.verdict !== 'refused' || isCutShort;
      if (!SHOWN_TYPES.includes(file.mime_type) || !canRead) return reading;
      if (file.size > MAX_BYTES) return notSent(reading, `it is larger than ${MAX_BYTES / 1e6} MB`);
      if (total + file.size > MAX_TOTAL_BYTES)
        return notSent(reading, `the pictures of a message may have ${MAX_TOTAL_BYTES / 1e6} MB together`);
      const bytes = await readBytes(file);
      const size = imageSize(bytes);
      if (!size || (await detectType(bytes)) !== file.mime_type) return reading;
      if (Math.max(size.width, size.height) > MAX_SIDE)
        return notSent(reading, `a side is longer than ${MAX_SIDE} pixels`);
      total += bytes.length;
      pictures.push({ mediaType: file.mime_type, data: bytes });
      const known = isCutShort ? `${size.width} × ${size.height} pixels, its text was not read` : reading.detail;
      return { verdict: 'read', text: reading.text, detail: `${known}; sent to the model as a picture` };
    },
    list: () => pictures,
  };
}

/** The pictures as the loop takes them. */
export function picturesOf(messageId: string | undefined, shown: ShownPictures | undefined): { pictures?: Pictures } {
  const list = shown?.list() ?? [];
  return messageId === undefined || list.length === 0 ? {} : { pictures: new Map([[messageId, list]]) };
}

function notSent(reading: FileReading, reason: string): FileReading {
  return { ...reading, detail: `${reading.detail}; not sent as a picture: ${reason}` };
}

async function readBytes(file: AttachedFile): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}
