import { extname } from 'node:path';

/** The program that converts a file, next to this code: a source file in a checkout, a bundle in the package. */
export function childFile(): URL {
  return new URL(`./convert-child${extname(import.meta.url)}`, import.meta.url);
}
