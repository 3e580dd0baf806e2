import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  /** Text or bytes, or deflated bytes with the size that they claim. */
  content: string | Uint8Array | { deflated: Uint8Array };
  encrypted?: boolean;
  /** Points to the data of the entry with this index instead of its own. */
  sharesDataOf?: number;
}

/** Builds a ZIP archive, even one that no program would write. */
export function buildZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  const directory: Buffer[] = [];
  const packedOf = new Map<ZipEntry, Packed>();
  let at = 0;
  for (const entry of entries) {
    const shared = entry.sharesDataOf === undefined ? undefined : offsets[entry.sharesDataOf];
    const source = entries[entry.sharesDataOf ?? -1] ?? entry;
    const content = packedOf.get(source) ?? pack(source);
    packedOf.set(source, content);
    const { packed, crc, size } = content;
    const offset = shared ?? at;
    offsets.push(offset);
    const fields = { packedBytes: packed.length, crc, size, flags: entry.encrypted ? 0x801 : 0x800 };
    if (shared === undefined) {
      const local = Buffer.concat([header(0x04034b50, fields, entry.name), packed]);
      parts.push(local);
      at += local.length;
    }
    directory.push(header(0x02014b50, fields, entry.name, offset));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

interface Packed {
  packed: Uint8Array;
  crc: number;
  size: number;
}

function pack({ content }: ZipEntry): Packed {
  if (typeof content === 'object' && 'deflated' in content) return { packed: content.deflated, crc: 0, size: 0 };
  const bytes = Buffer.from(content);
  return { packed: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length };
}

interface Fields {
  packedBytes: number;
  crc: number;
  size: number;
  flags: number;
}

/** Both headers have the same fields, two bytes further in the directory's. */
function header(signature: number, { packedBytes, crc, size, flags }: Fields, name: string, offset?: number): Buffer {
  const isCentral = offset !== undefined;
  const bytes = Buffer.alloc(isCentral ? 46 : 30);
  const shift = isCentral ? 2 : 0;
  bytes.writeUInt32LE(signature, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(flags, 6 + shift);
  bytes.writeUInt16LE(8, 8 + shift);
  bytes.writeUInt32LE(crc, 14 + shift);
  bytes.writeUInt32LE(packedBytes, 18 + shift);
  bytes.writeUInt32LE(size, 22 + shift);
  bytes.writeUInt16LE(Buffer.byteLength(name), 26 + shift);
  if (isCentral) bytes.writeUInt32LE(offset, 42);
  return Buffer.concat([bytes, Buffer.from(name)]);
}
