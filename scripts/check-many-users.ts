import { talkAsManyUsers } from './many-users.ts';

/** Runs 200 users at once, 10,000 turns by default. Fails if a user sees a task of another user. */
const turns = Number(process.argv[2] ?? 10_000);
const started = performance.now();
const report = await talkAsManyUsers({ users: 200, turns });
const seconds = (performance.now() - started) / 1000;
console.log(
  `${report.turns} turns of 200 users in ${seconds.toFixed(1)} s: ${report.leaks.length} leaks, ${report.failed} failed`,
);
for (const leak of report.leaks.slice(0, 20)) console.log(leak);
process.exitCode = report.leaks.length + report.failed > 0 ? 1 : 0;
