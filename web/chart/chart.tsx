import { useState } from 'react';
import { CHART_STRINGS } from '../panel-strings.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { DataResult } from '../state/data-result.ts';
import { Bars } from './bars.tsx';
import type { ChartData, ChartSeries } from './chart-data.ts';
import { describeChart } from './describe-chart.ts';
import { Line } from './line.tsx';

interface ChartProps {
  chart: ChartData;
  data: DataResult;
}

/** More groups than this are drawn in part; the table has them all. */
const SHOWN_BARS = 15;

/** Rows of a result as a picture, or as the table that it was drawn from. */
export function Chart({ chart, data }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const { kind, labels, title, series } = chart;
  // A cut that leaves out one or two bars saves no room.
  const count = kind === 'line' || labels.length <= SHOWN_BARS + 2 ? labels.length : SHOWN_BARS;
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <button type="button" className="quiet" onClick={() => setTable(!isTable)}>
          {isTable ? CHART_STRINGS.chart : CHART_STRINGS.table}
        </button>
      </figcaption>
      {isTable ? (
        <DataTable data={data} label={title} />
      ) : (
        <>
          <Legend series={series} />
          <div role="img" aria-label={describeChart(chart)}>
            {kind === 'bars' ? <Bars chart={chart} count={count} /> : <Line chart={chart} />}
          </div>
          {count < labels.length && (
            <p className="muted small chart-cut">
              {CHART_STRINGS.cut(count, labels.length)}{' '}
              <button type="button" className="quiet" onClick={() => setTable(true)}>
                {CHART_STRINGS.showAll(labels.length)}
              </button>
            </p>
          )}
        </>
      )}
      {data.hasMore && <p className="muted small">{CHART_STRINGS.more}</p>}
    </figure>
  );
}

/** Names of the series of a comparison, each with its colour. */
function Legend({ series }: { series: readonly ChartSeries[] }) {
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
