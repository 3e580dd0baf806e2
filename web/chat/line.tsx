import { type ChartData, describeChart } from '../state/chart-data.ts';

const WIDTH = 600;
const HEIGHT = 160;
const EDGE = 8;

/** Values over time. */
export function Line({ chart }: { chart: ChartData }) {
  const values = chart.points.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(...values, low + Number.MIN_VALUE);
  const points = values.map((value, index) => {
    const x = EDGE + (index / Math.max(values.length - 1, 1)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const [first, last] = [chart.points[0], chart.points.at(-1)];
  return (
    <div className="line" role="img" aria-label={describeChart(chart)}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
      <div className="line-ends" aria-hidden="true">
        <span>
          {first?.label} · {first?.text}
        </span>
        <span>
          {last?.label} · {last?.text}
        </span>
      </div>
    </div>
  );
}
