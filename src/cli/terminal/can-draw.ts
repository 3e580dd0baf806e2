/**
 * Whether the output is a terminal that can move its cursor. Editors and serial lines set TERM=dumb and show lines
 * only.
 */
export function canDraw(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}
