import { crc32 } from 'node:zlib';

/**
 * A ZIP archive whose only part unpacks to the archive itself. Deflate is used as a small language: a stored block
 * prints its content, and a match repeats the last output. Every instruction takes one unit, so that a program of
 * prints and repeats can print its own instructions, with a beginning and an end around it.
 */
export function buildQuine(name: string): Buffer {
  return solveCrc((crc) => writeArchive(name, crc));
}

/** The number of bytes of an instruction. */
const UNIT = 5;
/** A repeat over this distance fills its unit to the last bit, so the header is made this long. */
const PREFIX = 115;

function writeArchive(name: string, crc: number): Buffer {
  const sizes = measure(name);
  const prefix = localHeader(name, crc, sizes);
  const suffix = directory(name, crc, sizes);
  return Buffer.concat([prefix, program(prefix, suffix), suffix]);
}

interface Sizes {
  packed: number;
  whole: number;
}

function measure(name: string): Sizes {
  const none = { packed: 0, whole: 0 };
  const suffix = directory(name, 0, none);
  const packed = program(localHeader(name, 0, none), suffix).length;
  return { packed, whole: PREFIX + packed + suffix.length };
}

function program(prefix: Buffer, suffix: Buffer): Buffer {
  const repeatFour = toBytes(repeatTwice(2 * UNIT, 4 * UNIT));
  const repeatPrefix = toBytes(repeatWithFirst(prefix));
  const repeatSuffix = toBytes(repeatLast(suffix));
  const [one, four, ofPrefix] = [printHeader(UNIT), printHeader(4 * UNIT), printHeader(prefix.length + UNIT)];
  const [nothing, ofSuffix] = [printHeader(0), printHeader(repeatSuffix.length + suffix.length)];
  return Buffer.concat([
    ...[ofPrefix, prefix, ofPrefix, repeatPrefix],
    ...[one, repeatPrefix, one, one],
    ...[four, repeatPrefix, one, one, four, repeatFour],
    ...[four, repeatFour, four, repeatFour, four, repeatFour],
    ...[four, repeatFour, nothing, nothing, ofSuffix, repeatFour],
    ...[nothing, nothing, ofSuffix, repeatSuffix, suffix, repeatSuffix],
  ]);
}

/** The header of a stored block; its content follows. */
function printHeader(length: number): Buffer {
  const header = Buffer.alloc(UNIT);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(0xffff - length, 3);
  return header;
}

/** Bits in the order of transmission. */
type Bits = number[];

const END_OF_BLOCK: Bits = [0, 0, 0, 0, 0, 0, 0];

function block(content: Bits, isLast = false): Bits {
  return [isLast ? 1 : 0, 1, 0, ...content, ...END_OF_BLOCK];
}

function repeatTwice(length: number, distance: number): Bits {
  return block([...match(length, distance), ...match(length, distance)]);
}

/** Sends the first byte literally and the rest as a match. */
function repeatWithFirst(prefix: Buffer): Bits {
  const length = prefix.length + UNIT;
  return block([...code(0x30 + (prefix[0] ?? 0), 8), ...match(length - 1, length)]);
}

/** The last instruction need not fill its bytes. */
function repeatLast(suffix: Buffer): Bits {
  const bytes = (size: number) => block(match(suffix.length + size, suffix.length + size), true);
  return bytes(Math.ceil(bytes(UNIT).length / 8));
}

/** Lengths and distances are encoded by a code for the start of their range, and the offset in it. */
function match(length: number, distance: number): Bits {
  const far = findRange(distance - 1, { first: 4, perSize: 2 });
  const long = length <= 10 ? { code: length - 3, extra: 0, rest: 0 } : findRange(length - 3, { first: 8, perSize: 4 });
  const symbol = 257 + long.code;
  const name = symbol < 280 ? code(symbol - 256, 7) : code(0xc0 + symbol - 280, 8);
  return [...name, ...number(long.rest, long.extra), ...code(far.code, 5), ...number(far.rest, far.extra)];
}

/** From `first` on, ranges double in size, with `perSize` ranges of each size. */
function findRange(value: number, { first, perSize }: { first: number; perSize: number }) {
  let [begin, extra, index] = [first, 1, first];
  while (value >= begin + 2 ** extra) {
    begin += 2 ** extra;
    index++;
    if ((index - first) % perSize === 0) extra++;
  }
  return { code: index, extra, rest: value - begin };
}

/** Codes are sent from their highest bit on, numbers from their lowest. */
function code(value: number, length: number): Bits {
  return number(value, length).toReversed();
}

function number(value: number, length: number): Bits {
  return Array.from({ length }, (_, bit) => (value >>> bit) & 1);
}

function toBytes(bits: Bits): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
  return bytes;
}

function localHeader(name: string, crc: number, sizes: Sizes): Buffer {
  const header = Buffer.alloc(PREFIX);
  header.writeUInt32LE(0x04034b50, 0);
  writeFields(header.subarray(4), { name, crc, sizes });
  header.write(name, 30);
  // An unknown extra field fills the remaining room.
  const extra = PREFIX - 30 - name.length;
  header.writeUInt16LE(extra, 28);
  header.writeUInt16LE(0xfefe, PREFIX - extra);
  header.writeUInt16LE(extra - 4, PREFIX - extra + 2);
  return header;
}

function directory(name: string, crc: number, sizes: Sizes): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  writeFields(entry.subarray(6), { name, crc, sizes });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(PREFIX + sizes.packed, 16);
  return Buffer.concat([entry, Buffer.from(name), end]);
}

/** The fields shared by both headers, from the required version on. */
function writeFields(bytes: Buffer, { name, crc, sizes }: { name: string; crc: number; sizes: Sizes }): void {
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(8, 4);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(sizes.packed, 14);
  bytes.writeUInt32LE(sizes.whole, 18);
  bytes.writeUInt16LE(name.length, 22);
}

/**
 * Builds the archive that contains its own checksum. Each bit of the written number changes the checksum in the same
 * way, whatever the other bits are, so the right number is the solution of 32 equations.
 */
function solveCrc(write: (crc: number) => Buffer): Buffer {
  const base = crc32(write(0));
  // Each row holds the change caused by a bit, with the bit itself, and the bits of the solution that it stands for.
  const rows = Array.from({ length: 32 }, (_, bit) => {
    const place = (1 << bit) >>> 0;
    return { change: (crc32(write(place)) ^ base ^ place) >>> 0, solution: place };
  });
  let [rest, solution] = [base, 0];
  for (let bit = 0; bit < 32; bit++) {
    const pivot = rows.findIndex((row) => (row.change >>> bit) & 1);
    if (pivot === -1) continue;
    const [row] = rows.splice(pivot, 1);
    if (!row) continue;
    for (const other of rows) {
      if ((other.change >>> bit) & 1) {
        other.change = (other.change ^ row.change) >>> 0;
        other.solution = (other.solution ^ row.solution) >>> 0;
      }
    }
    if ((rest >>> bit) & 1) [rest, solution] = [(rest ^ row.change) >>> 0, (solution ^ row.solution) >>> 0];
  }
  if (rest !== 0) throw new Error('no checksum fits');
  return write(solution);
}
