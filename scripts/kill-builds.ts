/** Kills builds of a knowledge base at 50 random moments and checks the index. Run: node scripts/kill-builds.ts [kills] */
import { killBuilds } from '../test/knowledge/kill-builds.ts';

const report = await killBuilds({ kills: Number(process.argv[2] ?? 50), files: 400, random: Math.random });
console.log(report);
process.exitCode = report.documents === 400 && report.twice === 0 && report.astray === 0 ? 0 : 1;
