const LONGEST = 200;
/** Marks that change the direction of text, and characters that cannot be seen. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name from outside (file, title, tool, domain) as one line that shows what it is. */
export function cleanName(name: string): string {
  const clean = name.replace(HIDDEN, '').trim();
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1)}…` : clean;
}
