/** A secret value and the name that may take its place. */
export interface NamedSecret {
  name: string;
  value: string;
}

/** A text that reveals a secret, and the text that takes its place. */
export interface SecretForm {
  name: string;
  text: string;
  placeholder: string;
  /** The text that a program gets after it decoded the surrounding text. */
  original: string;
}

/** Shorter lines of a value, such as `}`, are parts of ordinary texts. */
const MIN_LINE_CHARS = 8;

/**
 * The texts in which a secret can occur: as it is, line by line, inside JSON, JavaScript and addresses, and in base64 at any
 * offset. Sorted, the longest first. A secret of several names has the first name in alphabetical order.
 */
export function formsOf(secrets: readonly NamedSecret[], minChars: number): SecretForm[] {
  const known = secrets.map(({ name, value }) => ({ name, value: value.trim() }));
  const long = known.filter(({ value }) => value.length >= minChars).sort((a, b) => compare(a.name, b.name));
  const values = long.map(({ value }) => value);
  const forms = new Map<string, SecretForm>();
  for (const { name, value } of long) {
    const label = safeLabel(name, values);
    for (const { text, kind, original = text } of textsOf(value)) {
      if (text.length < minChars || forms.has(text)) continue;
      forms.set(text, { name, text, original, placeholder: kind === '' ? `[${label}]` : `[${label}:${kind}]` });
    }
  }
  return [...forms.values()].sort((a, b) => b.text.length - a.text.length);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A placeholder must not contain a secret itself. */
function safeLabel(name: string, values: readonly string[]): string {
  const labels = [name.replace(/[^\w.-]/g, '_'), 'hidden', 'redacted', '*'];
  const kinds = ['', ':url', ':base64', ':line'];
  const isSafe = (label: string) =>
    !values.some((value) => kinds.some((kind) => `[${label}${kind}1.2]`.includes(value)));
  return labels.find(isSafe) ?? '*';
}

interface KindOfText {
  text: string;
  /** Empty for the value itself, also where the surrounding text escapes it. */
  kind: string;
  original?: string;
}

function textsOf(value: string): KindOfText[] {
  const plain = [value, value.replaceAll('\n', '\r\n')];
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const encoded = encodeURIComponent(value.toWellFormed());
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  return [
    ...plain.flatMap((text) => [text, ...escapedForms(text)]).map((text) => ({ text, kind: '', original: value })),
    ...lines.flatMap((line, index) => {
      if (line.length < MIN_LINE_CHARS || lines.length === 1) return [];
      return [line, escapeText(line)].map((text) => ({ text, kind: `line${index + 1}`, original: line }));
    }),
    { text: encoded, kind: 'url' },
    { text: inForm, kind: 'url.form' },
    { text: encoded.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()), kind: 'url.lower' },
    ...plain.flatMap(base64Forms),
  ];
}

/** Inside JSON, inside JSON within JSON, with ASCII characters only, and inside a literal with other quotes. */
function escapedForms(text: string): string[] {
  const once = escapeText(text);
  const ascii = once.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [once, escapeText(once), ascii, escapeText(ascii), once.replaceAll('\\"', '"'), once.replaceAll('/', '\\/')];
}

function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The characters that only depend on the secret, for each offset of the secret in the encoded bytes. */
function base64Forms(text: string): KindOfText[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(first, end);
    const forAddresses = core.replaceAll('+', '-').replaceAll('/', '_');
    return [
      { text: core, kind: `base64.${offset}` },
      { text: forAddresses, kind: `base64url.${offset}` },
    ];
  });
}
