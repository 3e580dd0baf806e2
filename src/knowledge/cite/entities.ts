import { stem } from '../../language/words.ts';

/** Nouns for people by their office, and for parts of an organisation. */
const OFFICES =
  'manager|leader|director|supervisor|coordinator|officer|nurse|doctor|administrator|partner|mentor|buddy|lead|chair|board|president|secretary|assistant|inspector|auditor|controller|counsel|representative|committee|desk';
const HEAD_OF = String.raw`(?:heads?|chairs?|directors?|managers?) of (?:the )?\p{L}+`;
const ROLE = new RegExp(
  String.raw`\b(?:${HEAD_OF}|(?:(?!(?:the|an?|your|their|our|his|her|its|any|each|every|by|to|with|of|and|or|is|are|that|this|from|for|in|on|at|as|via|ask|another|same|responsible|other)\s)\p{L}+\s+){0,2}(?:${OFFICES})s?)\b`,
  'giu',
);

/** "Site manager" and "head of department" as stems, in order. */
export function findRoles(text: string): string[] {
  const wordsOf = (role: string) => role.toLowerCase().split(/\s+/);
  const isMeant = (word: string) => word !== 'the';
  return [...text.matchAll(ROLE)].map(([role]) => wordsOf(role).filter(isMeant).map(stem).join(' '));
}

/** Two names of one office: the same words, or one without its first ones. */
export function isSameRole(a: string, b: string): boolean {
  return a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`);
}
