/** Callers are warned from this share on. */
const WARN_AT = 0.8;
const NEARLY_FULL =
  'This conversation nearly fills what the model is sent: the oldest messages are left out as it grows.';

/** The warning for a conversation that uses this share of the agent's limits. */
export function contextWarning(share: number): string | undefined {
  return share >= WARN_AT ? NEARLY_FULL : undefined;
}

/** Lets fronts that count messages themselves recognize the warning. */
export function isContextWarning(warning: string | undefined): boolean {
  return warning === NEARLY_FULL;
}
