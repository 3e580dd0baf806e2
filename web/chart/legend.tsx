import type { ChartSeries } from './chart-data.ts';

/** Names of the series of a comparison, each with its colour. */
export function Legend({ series }: { series: readonly ChartSeries[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="legend" aria-hidden="true">
      {series.map(({ name }, index) => (
        <li key={name} className={index === series.length - 1 ? 'now' : 'before'}>
          {name}
        </li>
      ))}
    </ul>
  );
}
