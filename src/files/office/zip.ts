import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { LIMITS } from '../limits.ts';
import { Unreadable } from '../reading.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 65_535;
const LARGE = 0xffffffff;

interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  /** The size in the directory; the actual size is checked too. */
  unpackedBytes: number;
  at: number;
}

/** A ZIP archive that is only read into memory: no name in it can reach the disk. */
export interface Zip {
  entries: ReadonlyMap<string, Entry>;
  /** Streams the inflated bytes of an entry; throws `Unreadable` as soon as there are too many. */
  stream(name: string): AsyncGenerator<Buffer, void>;
  /** A whole entry; undefined if there is none. */
  read(name: string): Promise<Buffer | undefined>;
}

/** Reads the directory of an archive; throws `Unreadable` if it is damaged, encrypted or beyond the limits. */
export function openZip(bytes: Buffer): Zip {
  const entries = readDirectory(bytes);
  let inflated = 0;

  async function* stream(name: string): AsyncGenerator<Buffer, void> {
    const entry = entries.get(name);
    if (!entry) return;
    checkSize(entry, entry.unpackedBytes, inflated);
    let size = 0;
    try {
      for await (const chunk of inflate(bytes, entry)) {
        size += chunk.length;
        inflated += chunk.length;
        checkSize(entry, size, inflated);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Unreadable ? error : damaged(name);
    }
  }

  return {
    entries,
    stream,
    async read(name) {
      if (!entries.has(name)) return undefined;
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream(name)) {
        size += chunk.length;
        if (size > LIMITS.partBytes) throw new Unreadable(`holds a part that is too large to be read (${name})`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}

function inflate(bytes: Buffer, { name, method, packedBytes, at }: Entry): AsyncIterable<Buffer> {
  if (at + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== LOCAL) throw damaged(name);
  const start = at + LOCAL_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const packed = bytes.subarray(start, start + packedBytes);
  if (packed.length < packedBytes) throw damaged(name);
  if (method === 0) return Readable.from([packed]);
  if (method !== 8) throw new Unreadable(`is packed in a way that is not known here (method ${method})`);
  const inflater = createInflateRaw();
  inflater.end(packed);
  return inflater;
}

function checkSize({ packedBytes }: Entry, size: number, total: number): void {
  const isBomb = size > LIMITS.ratioFromBytes && size > packedBytes * LIMITS.inflateRatio;
  if (isBomb || total > LIMITS.inflatedBytes) {
    throw new Unreadable('unpacks to far more than its size; such a file is not read');
  }
}

function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > LIMITS.zipEntries) throw new Unreadable(`holds ${count} parts; at most ${LIMITS.zipEntries} are read`);
  const entries = new Map<string, Entry>();
  const places = new Set<number>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw damaged('its directory');
    const entry = readEntry(bytes, at);
    if (places.has(entry.at)) throw new Unreadable('claims one part many times over; such a file is not read');
    places.add(entry.at);
    if (!entries.has(entry.name)) entries.set(entry.name, entry);
    at += ENTRY_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - MAX_COMMENT); at--) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  throw new Unreadable('is damaged: its end is missing');
}

function readEntry(bytes: Buffer, at: number): Entry {
  const nameBytes = bytes.readUInt16LE(at + 28);
  const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes).replaceAll('\\', '/');
  if (bytes.readUInt16LE(at + 8) & 1) throw new Unreadable('is protected by a password; attach it without one');
  if (name.startsWith('/') || name.split('/').includes('..')) {
    throw new Unreadable('holds a path that leads out of the archive; such a file is not read');
  }
  const method = bytes.readUInt16LE(at + 10);
  const unpackedBytes = bytes.readUInt32LE(at + 24);
  const packedBytes = bytes.readUInt32LE(at + 20);
  const offset = bytes.readUInt32LE(at + 42);
  const isLarge = [unpackedBytes, packedBytes, offset].includes(LARGE);
  return { name, method, ...(isLarge ? large(bytes, at) : { unpackedBytes, packedBytes, at: offset }) };
}

/** Some writers use the 64-bit field even for small sizes; its values replace the fields that are at their maximum. */
function large(bytes: Buffer, at: number): Pick<Entry, 'unpackedBytes' | 'packedBytes' | 'at'> {
  const start = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
  const extra = bytes.subarray(start, start + bytes.readUInt16LE(at + 30));
  let field = 0;
  while (field + 4 <= extra.length && extra.readUInt16LE(field) !== 1) field += 4 + extra.readUInt16LE(field + 2);
  let next = field + 4;
  const take = (value: number): number => {
    if (value !== LARGE) return value;
    if (next + 8 > extra.length) throw damaged('its directory');
    next += 8;
    return Number(extra.readBigUInt64LE(next - 8));
  };
  // The format defines this order.
  const unpackedBytes = take(bytes.readUInt32LE(at + 24));
  const packedBytes = take(bytes.readUInt32LE(at + 20));
  return { unpackedBytes, packedBytes, at: take(bytes.readUInt32LE(at + 42)) };
}

function damaged(what: string): Unreadable {
  return new Unreadable(`is damaged: ${what} cannot be unpacked`);
}
