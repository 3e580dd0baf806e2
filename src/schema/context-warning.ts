/** From this share on, callers are warned. */
const WARN_AT = 0.8;
const NEARLY_FULL =
  'This conversation nearly fills what the model is sent: the oldest messages are left out as it grows.';

/** The warning of a turn, given which share of the agent's limits its conversation takes. */
export function contextWarning(share: number): string | undefined {
  return share >= WARN_AT ? NEARLY_FULL : undefined;
}

/** For fronts that count messages themselves. */
export function isContextWarning(warning: string | undefined): boolean {
  return warning === NEARLY_FULL;
}
