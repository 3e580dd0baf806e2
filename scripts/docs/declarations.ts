/** A declaration of a source file, without the body of a function. */
export interface Declaration {
  comment: string;
  code: string;
}

/** Reads one exported declaration with its comment. Throws if the file has none of this name. */
export function readDeclaration(source: string, name: string): Declaration {
  const found = new RegExp(`^export (?:async )?(?:function\\*?|interface|type|class|const) ${name}\\b`, 'm').exec(
    source,
  );
  if (!found) throw new Error(`no declaration of ${name}`);
  const code = source.slice(found.index);
  return { comment: commentBefore(source.slice(0, found.index)), code: cutDeclaration(code) };
}

/** The words of the block comment at the end of a text; empty if there is none. */
export function commentBefore(before: string): string {
  const [, words = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? [];
  return cleanComment(words);
}

export function cleanComment(words: string): string {
  return words
    .replace(/^\s*\*? ?/gm, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** A function ends before its body, everything else at the end of its first statement. */
function cutDeclaration(code: string): string {
  const isFunction = /^export (?:async )?function/.test(code);
  const isType = /^export type/.test(code);
  let depth = 0;
  for (const [index, sign] of [...code].entries()) {
    if (isFunction && depth === 0 && code.startsWith(' {\n', index)) return code.slice(0, index);
    if (isType && depth === 0 && sign === ';') return code.slice(0, index);
    if ('({['.includes(sign)) depth += 1;
    if (')}]'.includes(sign)) depth -= 1;
    if (!isFunction && !isType && depth === 0 && sign === '}') return withoutBodies(code.slice(0, index + 1));
  }
  return code.trim();
}

/** A class shows its members without their code. */
function withoutBodies(code: string): string {
  return code.replace(/^( {2}\S.*) \{\n(?: {4}.*\n|\n)* {2}\}/gm, '$1;');
}
