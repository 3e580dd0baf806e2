import pc from 'picocolors';

/** Text styles. */
export type Colors = ReturnType<typeof pc.createColors>;

/** The library treats CI=true as a colour terminal, even if TERM=dumb. */
const hasColors = pc.isColorSupported && process.env.TERM !== 'dumb';

/** No colours if NO_COLOR is set, the output is not a terminal, or TERM is dumb. */
export const terminalColors: Colors = pc.createColors(hasColors);
