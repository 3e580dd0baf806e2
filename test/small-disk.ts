import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own that can be filled. */
export interface SmallDisk {
  folder: string;
  /** Takes all free space. */
  fill(): void;
  free(): void;
  close(): void;
}

const MOST_TRIES = 20;

/** Mounts a file system in memory; undefined where this process may not mount. */
export function openSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'holodeck-test', folder]);
  if (mounted.status !== 0) return undefined;
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      // Another program may take space between the two calls; fallocate then takes nothing.
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { bavail, bsize } = statfsSync(folder);
        if (bavail === 0) return;
        const offset = statSync(ballast, { throwIfNoEntry: false })?.size ?? 0;
        spawnSync('fallocate', ['-o', String(offset), '-l', String(bavail * bsize), ballast]);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    close: () => void spawnSync('umount', ['-l', folder]),
  };
}
