/** A time zone that can write instants; making one costs more than a whole short turn, so they are kept. */
export interface Zone {
  name: string;
  /** Such as "Sunday, 15 November 2026 at 10:30". */
  write(instant: Date): string;
}

/** Finds zones by name, or the machine's own. */
export function createZones(): (name?: string) => Zone {
  const zones = new Map<string, Zone>();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (name = own) => {
    const zone = zones.get(name) ?? createZone(name);
    zones.set(name, zone);
    return zone;
  };
}

function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: name });
  return { name, write: (instant) => format.format(instant) };
}
