const NAME = '/Kids';
/** Maximum space between the name and its list. */
const MAX_SPACE = 16;
const [REFERENCE, END, ZERO, NINE, SPACE] = [0x52, 0x5d, 0x30, 0x39, 0x20];

/**
 * Blanks the entries of a PDF's page lists beyond `most`, in place, and returns the original number of entries. The
 * parser walks the whole list for each page, which takes seconds for a maliciously long list.
 */
export function shortenPages(bytes: Uint8Array, most: number): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let total = 0;
  for (let at = file.indexOf(NAME); at !== -1; at = file.indexOf(NAME, at + NAME.length)) {
    const begin = /^\s*\[/.exec(file.toString('latin1', at + NAME.length, at + NAME.length + MAX_SPACE))?.[0].length;
    if (begin !== undefined) total += shortenList(file, at + NAME.length + begin, most);
  }
  return total;
}

/** A list contains only numbers and references, so every byte is read once. */
function shortenList(file: Buffer, begin: number, most: number): number {
  let entries = 0;
  let from = begin;
  for (let at = begin; at < file.length; at++) {
    const byte = file[at] as number;
    if (byte === END) {
      if (entries <= most) return 0;
      file.fill(' ', from, at);
      return entries;
    }
    if (byte === REFERENCE) {
      entries++;
      if (entries === most) from = at + 1;
    } else if (byte > SPACE && (byte < ZERO || byte > NINE)) return 0;
  }
  return 0;
}
