/** Whether the output is a terminal that moves its cursor. Editors and serial lines set TERM=dumb: they show lines only. */
export function canDraw(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}
