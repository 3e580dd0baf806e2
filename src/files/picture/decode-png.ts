import { createInflate } from 'node:zlib';
import { Unreadable } from '../reading.ts';
import { type Grey, shadeOf } from './grey.ts';

/** Channels per pixel by colour type; a palette has one. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
const HEADER_END = 33;
/** Bytes inflated at once. */
const INFLATE_BYTES = 256 * 1024;

/**
 * Decodes common PNG files to greyscale on a white background, row by row; decoding colours would take four times the
 * memory and twice the time. Undefined for rarer kinds; throws `Unreadable` if the file is damaged.
 */
export async function decodePng(bytes: Buffer): Promise<Grey | undefined> {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, type = 0, isInterlaced] = [bytes[24], bytes[25], bytes[28] !== 0];
  const channels = CHANNELS[type];
  const chunks = readChunks(bytes);
  if (depth !== 8 || isInterlaced || channels === undefined || chunks.isTransparent) return undefined;
  const palette = type === PALETTE ? chunks.palette : undefined;
  if (type === PALETTE && !palette) throw damaged();
  const data = new Uint8Array(width * height);
  const lines: [Uint8Array, Uint8Array] = [new Uint8Array(width * channels), new Uint8Array(width * channels)];
  let row = 0;
  for await (const packed of inflateRows(chunks.data, width * channels + 1)) {
    const [line, above] = row % 2 === 0 ? lines : [lines[1], lines[0]];
    undoFilter(packed, { line, above, step: channels });
    toShades(line, data.subarray(row * width, (row + 1) * width), { channels, palette });
    if (++row === height) return { width, height, data };
  }
  throw damaged();
}

interface Chunks {
  data: Buffer[];
  palette?: Buffer | undefined;
  isTransparent: boolean;
}

function readChunks(bytes: Buffer): Chunks {
  const chunks: Chunks = { data: [], isTransparent: false };
  for (let at = HEADER_END; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') chunks.data.push(content);
    if (type === 'PLTE') chunks.palette = content;
    if (type === 'tRNS') chunks.isTransparent = true;
    at += 12 + length;
  }
  return chunks;
}

async function* inflateRows(packed: Buffer[], size: number): AsyncGenerator<Uint8Array, void> {
  const inflated = createInflate({ chunkSize: INFLATE_BYTES });
  inflated.end(Buffer.concat(packed));
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of inflated) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (; at + size <= bytes.length; at += size) yield bytes.subarray(at, at + size);
      rest = bytes.subarray(at);
    }
  } catch {
    throw damaged();
  }
}

interface Lines {
  line: Uint8Array;
  above: Uint8Array;
  /** Bytes per pixel. */
  step: number;
}

/** Each row starts with its filter number and is stored as the difference to the row above or the previous pixel. */
function undoFilter(row: Uint8Array, { line, above, step }: Lines): void {
  const length = line.length;
  line.set(row.subarray(1));
  switch (row[0]) {
    case 0:
      return;
    case 1:
      for (let at = step; at < length; at++) line[at] = (line[at] as number) + (line[at - step] as number);
      return;
    case 2:
      for (let at = 0; at < length; at++) line[at] = (line[at] as number) + (above[at] as number);
      return;
    case 3:
      for (let at = 0; at < length; at++) {
        const left = at < step ? 0 : (line[at - step] as number);
        line[at] = (line[at] as number) + ((left + (above[at] as number)) >> 1);
      }
      return;
    case 4:
      for (let at = 0; at < length; at++) {
        const left = at < step ? 0 : (line[at - step] as number);
        const corner = at < step ? 0 : (above[at - step] as number);
        line[at] = (line[at] as number) + nearest(left, above[at] as number, corner);
      }
      return;
    default:
      throw damaged();
  }
}

/** The neighbour closest to left + up - corner (the Paeth predictor). */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

interface Colours {
  channels: number;
  palette: Buffer | undefined;
}

function toShades(line: Uint8Array, shades: Uint8Array, { channels, palette }: Colours): void {
  if (palette) fromPalette(line, shades, palette);
  else if (channels >= 3) fromColours(line, shades, channels);
  else for (let x = 0; x < shades.length; x++) shades[x] = line[x * channels] as number;
  if (channels % 2 === 0) putOnPaper(line, shades, channels);
}

function fromPalette(line: Uint8Array, shades: Uint8Array, palette: Buffer): void {
  for (let x = 0; x < shades.length; x++) {
    const at = (line[x] as number) * 3;
    shades[x] = shadeOf(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0);
  }
}

function fromColours(line: Uint8Array, shades: Uint8Array, channels: number): void {
  for (let x = 0, at = 0; x < shades.length; x++, at += channels) {
    shades[x] = shadeOf(line[at] as number, line[at + 1] as number, line[at + 2] as number);
  }
}

/** Transparent pixels are blended with white. */
function putOnPaper(line: Uint8Array, shades: Uint8Array, channels: number): void {
  for (let x = 0, at = channels - 1; x < shades.length; x++, at += channels) {
    const alpha = line[at] as number;
    if (alpha !== 255) shades[x] = 255 + (((shades[x] as number) - 255) * alpha) / 255;
  }
}

export function damaged(): Unreadable {
  return new Unreadable('is damaged: the picture cannot be decoded');
}
