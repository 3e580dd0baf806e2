/** Decides whether a trace is sent. `parent` is the caller's decision, if there is a caller. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** Returns the OpenTelemetry sampler of this name. An unknown name means the default, parentbased_always_on. */
export function readSampler(name: string | undefined, argument: string | undefined): Sampler {
  const root = rootSampler(name?.replace(/^parentbased_/, ''), argument);
  const followsParent = name === undefined || name.startsWith('parentbased_') || !isKnown(name);
  return followsParent ? (traceId, parent) => parent ?? root(traceId) : (traceId) => root(traceId);
}

function isKnown(name: string): boolean {
  return ['always_on', 'always_off', 'traceidratio'].includes(name);
}

function rootSampler(name: string | undefined, argument: string | undefined): (traceId: string) => boolean {
  if (name === 'always_off') return () => false;
  if (name !== 'traceidratio') return () => true;
  const ratio = toRatio(argument);
  // The last bits of a trace id are random; 52 of them fit into a number exactly.
  const limit = ratio * 2 ** 52;
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < limit;
}

function toRatio(argument: string | undefined): number {
  const ratio = Number(argument ?? 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
