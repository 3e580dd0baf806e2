import type { Redactor } from '../../redaction/redactor.ts';
import { isSeriesOpen, redactSeries } from '../../redaction/series.ts';
import { type Json, parseJson } from '../../schema/json.ts';

const NEWLINE = 10;

/**
 * Redacts a reply while it arrives. Pieces are held back until their last line is complete and no secret can continue in the next
 * one; pieces without a secret keep their bytes and boundaries.
 */
export async function* cleanPieces(
  body: AsyncIterable<Uint8Array | string>,
  redactor: Redactor,
): AsyncGenerator<Uint8Array> {
  let held: Buffer[] = [];
  const release = function* () {
    const text = Buffer.concat(held).toString();
    const clean = cleanText(text, redactor);
    yield* clean === text ? held : [Buffer.from(clean)];
    held = [];
  };
  try {
    for await (const piece of body) {
      held.push(Buffer.from(piece as Uint8Array)); // a string is copied as UTF-8 as well
      if (held.at(-1)?.at(-1) === NEWLINE && !isOpen(Buffer.concat(held).toString(), redactor)) yield* release();
    }
  } catch (error) {
    yield* release();
    throw error;
  }
  yield* release();
}

/** Redacts a text; the values of its lines count as a series, as in server-sent events and lines of JSON. */
export function cleanText(text: string, redactor: Redactor): string {
  const lines = readLines(text);
  const values = redactSeries(
    lines.map(({ value }) => value),
    redactor,
  );
  const clean = lines.map(({ line, prefix, value }, index) => {
    const isSame = typeof value === 'string' || JSON.stringify(values[index]) === JSON.stringify(value);
    return isSame ? line : prefix + JSON.stringify(values[index]);
  });
  return redactor.text(clean.join('\n'));
}

function isOpen(text: string, redactor: Redactor): boolean {
  return (
    redactor.isOpen(text) ||
    isSeriesOpen(
      readLines(text).map(({ value }) => value),
      redactor,
    )
  );
}

/** A line without JSON is its own value. */
function readLines(text: string): { line: string; prefix: string; value: Json }[] {
  const whole = parseJson(text);
  if (typeof whole === 'object') return [{ line: text, prefix: '', value: whole }];
  return text.split('\n').map((line) => {
    const [, prefix = '', json = ''] = /^(data:\s*)?([[{].*)$/.exec(line) ?? [];
    return { line, prefix, value: parseJson(json) ?? '' };
  });
}
