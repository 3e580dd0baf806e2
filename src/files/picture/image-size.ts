export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height from the header, before anything is decoded; undefined if the header is damaged. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  try {
    if (bytes[0] === 0x89) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (bytes[0] === 0x47) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    if (bytes[0] === 0x52) return webpSize(bytes);
    return jpegSize(bytes);
  } catch {
    return undefined;
  }
}

/** The first frame header among the segments. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at < bytes.length) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8 ') return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** The EXIF orientation (1 to 8), so that the picture is read upright. */
export function imageOrientation(bytes: Buffer): number {
  const start = bytes.subarray(0, 65_536).indexOf('Exif\0\0', 0, 'latin1');
  if (bytes[0] !== 0xff || start === -1) return 1;
  const tiff = bytes.subarray(start + 6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  try {
    const directory = long(4);
    for (let entry = 0; entry < short(directory); entry++) {
      const at = directory + 2 + entry * 12;
      const value = short(at + 8);
      if (short(at) === 0x0112) return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // Damaged EXIF data: the picture is used as it is.
  }
  return 1;
}
