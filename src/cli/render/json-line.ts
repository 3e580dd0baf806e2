/** Characters that JSON does not escape and that terminals interpret or people cannot see. */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\udb40-\udb43][\udc00-\udfff]/g;

/** A value as one line of JSON, with invisible and control characters escaped. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE, toCodes)}\n`;
}

function toCodes(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
