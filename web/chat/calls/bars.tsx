import { type ChartData, describeChart } from '../../state/chart-data.ts';

/** Horizontal bars: names are read from left to right, whatever their length. */
export function Bars({ chart }: { chart: ChartData }) {
  const largest = chart.full ?? Math.max(...chart.points.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <div className="bars" role="img" aria-label={describeChart(chart)}>
      {chart.points.map(({ label, value, text }, index) => (
        <div key={`${index}.${label}`} className="bar-row">
          <span className="bar-label">{label}</span>
          <svg className="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="10" className="bar-track" />
            <rect
              width={(Math.abs(value) / largest) * 100}
              height="10"
              className={value < 0 ? 'bar-negative' : 'bar-value'}
            />
          </svg>
          <span className="bar-text">{text}</span>
        </div>
      ))}
    </div>
  );
}
