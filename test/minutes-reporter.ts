import type { Reporter, TestModule } from 'vitest/node';

/** Prints the duration of each project, from the start of its first file to the end of its last one. */
export function createMinutesReporter(): Reporter {
  const spans = new Map<string, { startedAt: number; endedAt: number }>();
  return {
    onTestModuleStart({ project }: TestModule) {
      const now = Date.now();
      if (!spans.has(project.name)) spans.set(project.name, { startedAt: now, endedAt: now });
    },
    onTestModuleEnd({ project }: TestModule) {
      const span = spans.get(project.name);
      if (span) span.endedAt = Date.now();
    },
    onTestRunEnd() {
      const parts = [...spans].map(([name, span]) => `${name} ${toMinutes(span.endedAt - span.startedAt)}`);
      console.log(parts.join(', '));
    },
  };
}

function toMinutes(elapsedMs: number): string {
  return `${(elapsedMs / 60_000).toFixed(1)} min`;
}
