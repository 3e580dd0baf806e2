import pc from 'picocolors';
import { sanitizeText } from '../../tools/sanitize.ts';

/** Text styles. */
export type Colors = ReturnType<typeof pc.createColors>;

/** The library treats CI=true as a colour terminal, even if TERM=dumb. */
const hasColors = pc.isColorSupported && process.env.TERM !== 'dumb';

/** No colours if NO_COLOR is set, the output is not a terminal, or TERM is dumb. */
export const terminalColors: Colors = pc.createColors(hasColors);

/** Whether the output is a terminal that can move its cursor. Editors and serial lines set TERM=dumb. */
export function canDraw(): boolean {
  return process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

/** Removes all escape sequences except colours and text styles, whatever their origin. */
export function keepStyles(text: string): string {
  return text
    .split(/(\u001b\[[\d;]*m)/)
    .map((part, index) => (index % 2 === 1 ? part : sanitizeText(part)))
    .join('');
}
