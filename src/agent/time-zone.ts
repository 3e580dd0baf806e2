/** A time zone that formats instants. Zones are cached: creating one by name costs more than a short turn. */
export interface Zone {
  /** Absent for the machine's own zone. */
  name?: string;
  /** For example "Sunday, 15 November 2026 at 10:30 (Europe/Berlin)". */
  write(instant: Date): string;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Returns a function that finds a zone by name, or the machine's own zone. */
export function createZones(): (name?: string) => Zone {
  const zones = new Map<string, Zone>();
  return (name) => {
    if (name === undefined) return OWN_ZONE;
    const zone = zones.get(name) ?? createZone(name);
    zones.set(name, zone);
    return zone;
  };
}

function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: name });
  return { name, write: (instant) => `${format.format(instant)} (${name})` };
}

/** Formats without Intl: its first use takes 20 ms, a large part of a short run. */
const OWN_ZONE: Zone = {
  write: (instant) => {
    const day = `${DAYS[instant.getDay()]}, ${instant.getDate()} ${MONTHS[instant.getMonth()]} ${instant.getFullYear()}`;
    return `${day} at ${toClock(instant.getHours() * 60 + instant.getMinutes())} (${toOffset(instant)})`;
  },
};

function toOffset(instant: Date): string {
  const minutes = -instant.getTimezoneOffset();
  return `UTC${minutes < 0 ? '-' : '+'}${toClock(Math.abs(minutes))}`;
}

function toClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
