import type { Reporter, TestModule } from 'vitest/node';

const SLOWEST = 10;

/** Prints the ten slowest files, and the duration of each project from the start of its first file to the end of its last one. */
export function createMinutesReporter(): Reporter {
  const spans = new Map<string, { startedAt: number; endedAt: number }>();
  const files: { name: string; project: string; durationMs: number }[] = [];
  let startedAt = 0;
  return {
    onTestRunStart() {
      spans.clear();
      files.length = 0;
      startedAt = Date.now();
    },
    onTestModuleStart({ project }: TestModule) {
      const now = Date.now();
      if (!spans.has(project.name)) spans.set(project.name, { startedAt: now, endedAt: now });
    },
    onTestModuleEnd(file: TestModule) {
      const span = spans.get(file.project.name);
      if (span) span.endedAt = Date.now();
      const { duration, collectDuration } = file.diagnostic();
      files.push({ name: file.relativeModuleId, project: file.project.name, durationMs: duration + collectDuration });
    },
    onTestRunEnd() {
      const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
      for (const { name, project, durationMs } of slowest)
        console.log(`${(durationMs / 1000).toFixed(0).padStart(5)} s  ${project.padEnd(5)}  ${name}`);
      const parts = [...spans].map(([name, span]) => `${name} ${toMinutes(span.endedAt - span.startedAt)}`);
      console.log([...parts, `in all ${toMinutes(Date.now() - startedAt)}`].join(', '));
    },
  };
}

function toMinutes(elapsedMs: number): string {
  return `${(elapsedMs / 60_000).toFixed(1)} min`;
}
