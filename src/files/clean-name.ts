import { sanitizeText } from '../tools/sanitize.ts';

const MAX_CHARS = 120;

/** A file name as it is shown and sent to a model: without folders, quotes, brackets and invisible characters. */
export function cleanName(name: string): string {
  const base = sanitizeText(name).split(/[/\\]/).at(-1) ?? '';
  const clean = base.replace(/["'`<>[\]{}|\n\t]/g, '').trim();
  if (clean === '' || /^\.+$/.test(clean)) return 'file';
  if (clean.length <= MAX_CHARS) return clean;
  const extension = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  return `${clean.slice(0, MAX_CHARS - extension.length - 1).toWellFormed()}…${extension}`;
}
