/** Finds one kind of data by its shape. */
export interface Pattern {
  name: string;
  pattern: RegExp;
  /** False leaves a match as it is. */
  isMatch?(text: string): boolean;
}

/** Keys and tokens whose shape no ordinary text has. Every pattern takes linear time: texts come from anybody. */
export const TOKENS: readonly Pattern[] = [
  key(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g),
  // OpenAI, Anthropic, Stripe, Groq, xAI, Hugging Face, NVIDIA, GitLab, npm and others.
  key(/\b(?:sk|pk|rk|gsk|xai|nvapi|whsec|glpat|npm|hf)[-_](?=[\w-]{0,200}\d)[\w-]{12,}/g),
  key(/\bsk-ant-[\w-]{8,}/g),
  key(/\b(?:gh[oprsu]_\w{16,}|github_pat_\w{16,})/g),
  key(/\b(?:xox[abeprs]|xapp)-[\w-]{10,}/g),
  key(/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  key(/\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/g),
  key(/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g),
  key(/\bBearer\s{1,4}(?=[^\s"',;\\]{0,200}[\d._~+/=-])[\w.~+/-]{8,}=*/gi),
  key(/\bBasic\s{1,4}(?=[\w+/]{0,200}[A-Z\d])[\w+/]{12,}={0,2}/g),
  // Passwords in addresses, and keys in queries.
  key(/(?<=:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,200}(?=@)/g),
  key(
    /(?<=[?&](?:api[-_]?key|key|(?:access|auth|refresh)?[-_]?token|secret|sig|signature|password)=)[^\s&"'#[\]\\]{6,}/gi,
  ),
];

/** Values that a text calls a password or key. */
export const CALLED_SECRET: readonly Pattern[] = [
  key(
    /(?<=\b(?:password|passwort|passphrase|secret|token|api[ _-]?key)["']?\s{0,4}(?:[:=]|is)\s{0,4}["']?)[^\s,;"'[\]]{6,}/gi,
  ),
];

/** Anything that may be a part of a key. Only for texts of providers, whose other words nobody needs exactly. */
export const KEY_LIKE: readonly Pattern[] = [
  key(/\b(?:sk|pk|rk|gsk|xai|hf|nvapi|ghp|key)[-_][\w*-]{6,}/gi),
  key(/\bAIza[\w*-]{6,}/g),
  key(/(?<=\b(?:Bearer|Basic)\s{1,4})[^\s"',[\]]+/gi),
  key(/(?<=\bkey=)[^\s&"'[\]]+/gi),
  key(/(?<![\w+/=*])(?=[\w+/=*]{0,200}\d)(?=[\w+/=*]{0,200}[a-z])[\w+/=*]{20,}/gi),
];

const MIN_PHONE_DIGITS = 7;
/** Data about people. The order counts: a card number must not be taken for a phone number. */
export const PERSONAL: readonly Pattern[] = [
  { name: 'e-mail', pattern: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu },
  { name: 'card', pattern: /(?<![\d-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\d-])/g, isMatch: hasCheckDigit },
  { name: 'account', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/gi, isMatch: isIban },
  {
    name: 'phone',
    pattern:
      /(?<![\w.,:-]|\d )(?:\+|00)\d[\d ()/.-]{6,18}\d|(?<![\w.,:-]|\d )\(?0?\d{2,4}\)?[ /-]\d{3,4}[ -]\d{3,5}(?![\w-]| \d)|(?<![\w.,:-]|\d )\(?0\d{1,4}\)?[ /-]?\d{4,9}(?:[ -]\d{2,6}){0,3}(?![\w-]| \d)/g,
    isMatch: (text) => text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS && !/^\d{4}-\d{2}-\d{2}/.test(text),
  },
];

const SECRET_NAME =
  /authorization|api[-_]?key|token|secret|passw|pass(?:phrase)?$|cookie|credential|private[-_]?key|[-_]key$/i;
const SECRET_SHAPE =
  /^(Bearer|Basic)\s+\S|^(sk|pk|rk)[-_]\w|^AIza\w|^gh[oprsu]_\w|^github_pat_|^xox[abeprs]-|^AKIA\w|^eyJ\w/i;
const PHONE_NAME = /phone|mobile|cell|fax|^tel/i;

/** True if a variable, header or key has a name that is usual for secrets. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** True if a key has a name that is usual for phone numbers. */
export function isPhoneName(name: string): boolean {
  return PHONE_NAME.test(name);
}

/** True if a whole value begins like a provider's key or a token. Stricter than TOKENS: also examples and parts count. */
export function hasSecretShape(value: string): boolean {
  return SECRET_SHAPE.test(value);
}

/** True if the name or the value of a variable is that of a secret. */
export function isSecretEntry(name: string, value: string): boolean {
  return isSecretName(name) || hasSecretShape(value);
}

function key(pattern: RegExp): Pattern {
  return { name: 'key', pattern };
}

/** The check digit of card numbers (ISO/IEC 7812, Luhn). */
function hasCheckDigit(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The check digits of account numbers (ISO 13616). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase();
  if (plain.length < 15 || plain.length > 34) return false;
  const digits = (plain.slice(4) + plain.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
