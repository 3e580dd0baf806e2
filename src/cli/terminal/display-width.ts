const ASCII = /^[\u0020-\u007e]*$/;
const STYLES = /\u001b\[[\d;]*m/g;
/** East Asian wide and full-width characters, and emoji; each takes two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]+$/u;

/** Number of columns that a text takes in a terminal; styles take none. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  const plain = withoutStyles(text);
  if (ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const character of charactersOf(plain)) width += characterWidth(character);
  return width;
}

export function withoutStyles(text: string): string {
  return text.replace(STYLES, '');
}

export function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Splits a text into user-perceived characters, such as an emoji with its skin tone. */
export function charactersOf(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Cuts a text without styles to a number of columns, with an ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of charactersOf(text)) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns > 0 ? `${kept}…` : '';
}

/** Pads a text with spaces on the right. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
