import pc from 'picocolors';

/** Looks for text. */
export type Colors = ReturnType<typeof pc.createColors>;

/** The library takes CI=true for a terminal with colours, also where TERM says that it has none. */
const hasColors = pc.isColorSupported && process.env.TERM !== 'dumb';

/** Plain where NO_COLOR is set, the output is no terminal, or TERM is dumb. */
export const terminalColors: Colors = pc.createColors(hasColors);
