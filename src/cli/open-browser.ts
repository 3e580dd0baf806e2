import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Shows an address in the person's browser; where there is none, nothing happens. */
export function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
