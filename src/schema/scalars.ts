import * as z from 'zod';

/** An instant as ISO 8601 text with a zone. */
export const Timestamp = z.iso.datetime({ offset: true });
export type Timestamp = z.infer<typeof Timestamp>;

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Small shapes that several sections of agent.yaml share. */
export const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
/** At most a day: timers cannot count further than 24 days. */
export const Seconds = z.number().positive().max(86_400);
export const Name = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must begin with a letter and hold only letters, digits, - and _')
  .max(64);
export const Url = z.string().refine((text) => isHttpUrl(text), 'must be an http or https address');
export const Host = z
  .string()
  .regex(/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i, 'must be a host name, without http:// or /');
/** A scope-token of RFC 6749. */
export const Scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be one word of printable ASCII characters');
export const StringMap = z.record(z.string(), z.string());

function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

/** True for a host name or address of this machine, with or without the brackets of IPv6. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host.trim());
}
