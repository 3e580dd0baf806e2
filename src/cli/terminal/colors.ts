import pc from 'picocolors';

/** Looks for text. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Plain where NO_COLOR is set or the output is no terminal. */
export const terminalColors: Colors = pc;
