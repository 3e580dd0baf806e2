/** A greyscale picture, one byte per pixel, row by row. */
export interface Grey {
  width: number;
  height: number;
  data: Uint8Array;
}

/** The luminance of a colour. */
export function shadeOf(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8;
}

/** Some rows of a picture, in separate memory. */
export function cropRows({ width, data }: Grey, from: number, to: number): Grey {
  return { width, height: to - from, data: data.slice(from * width, to * width) };
}

/** Scale factors for width and height; at most 1 each. */
export interface Scale {
  across: number;
  down: number;
}

/** Scales a picture down; each pixel is the mean of the area that it covers. */
export function shrink(grey: Grey, { across, down }: Scale): Grey {
  if (across === 1 && down === 1) return grey;
  const width = Math.max(1, Math.floor(grey.width * across));
  const height = Math.max(1, Math.floor(grey.height * down));
  const columns = spansOf(grey.width, width);
  const shares = Float64Array.from({ length: width }, (_, x) => 1 / ((columns[x + 1] ?? 0) - (columns[x] ?? 0)));
  const rows = spansOf(grey.height, height);
  const data = new Uint8Array(width * height);
  const sums = new Uint32Array(grey.width);
  for (let y = 0; y < height; y++) {
    const total = addRows(grey, sums, { begin: rows[y] as number, end: rows[y + 1] as number });
    meanOfColumns(sums, data.subarray(y * width, (y + 1) * width), { columns, shares, rowShare: 1 / total });
  }
  return { width, height, data };
}

/** The start of each new pixel among the old ones, in sixteenths of a pixel. */
function spansOf(before: number, after: number): Int32Array {
  return Int32Array.from({ length: after + 1 }, (_, index) => Math.floor((index * before * 16) / after));
}

/** Sums the rows from `begin` to `end`; partial rows at the edges are weighted. */
function addRows({ width, data }: Grey, sums: Uint32Array, { begin, end }: { begin: number; end: number }): number {
  sums.fill(0);
  for (let at = begin; at < end; at = (at | 15) + 1) {
    const weight = Math.min(end, (at | 15) + 1) - at;
    const row = (at >> 4) * width;
    for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + (data[row + x] as number) * weight;
  }
  return end - begin;
}

function meanOfColumns(
  sums: Uint32Array,
  means: Uint8Array,
  { columns, shares, rowShare }: { columns: Int32Array; shares: Float64Array; rowShare: number },
): void {
  let begin = 0;
  for (let x = 0; x < means.length; x++) {
    const end = columns[x + 1] as number;
    const last = end >> 4;
    let at = begin >> 4;
    let sum = 0;
    if (at < last) {
      sum = (sums[at] as number) * (16 - (begin & 15));
      while (++at < last) sum += (sums[at] as number) << 4;
      begin = at << 4;
    }
    if (begin < end) sum += (sums[last] as number) * (end - begin);
    means[x] = (sum * (shares[x] as number) * rowShare + 0.5) | 0;
    begin = end;
  }
}

/** Rotates and mirrors a picture by its EXIF orientation (1 to 8). */
export function turnUpright(grey: Grey, orientation: number): Grey {
  if (orientation <= 1 || orientation > 8) return grey;
  const isSideways = orientation >= 5;
  const [width, height] = isSideways ? [grey.height, grey.width] : [grey.width, grey.height];
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  const data = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const [across, down] = isSideways ? [y, x] : [x, y];
      const column = fromRight ? grey.width - 1 - across : across;
      const row = fromBottom ? grey.height - 1 - down : down;
      data[to] = grey.data[row * grey.width + column] as number;
    }
  }
  return { width, height, data };
}

/** Encodes a picture as PGM, the simplest format that the engine reads. */
export function toPgm({ width, height, data }: Grey): Uint8Array {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
  return Buffer.concat([header, data]);
}
