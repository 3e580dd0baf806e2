import { useMemo, useState } from 'react';
import 'react';
import { CHART_STRINGS } from '../panel-strings.ts';
import { DataTable } from '../parts/data-table.tsx';
import { cleanName, formatName } from '../parts/format.ts';
import { type DataResult, readDataResult } from '../state/data-result.ts';
import type { Turn } from '../state/turn.ts';
import { Bars } from './bars.tsx';
import { type ChartData, type ChartSeries, chartOf } from './chart-data.ts';
import { describeChart } from './describe-chart.ts';
import { Line } from './line.tsx';
import { isFigures, overviewOf } from './overview.ts';

interface ChartProps {
  chart: ChartData;
  data: DataResult;
}

/** More groups than this are drawn in part; the table has them all. */
const SHOWN_BARS = 15;

/** Rows of a result as a picture, or as the table that it was drawn from. */
function Chart({ chart, data }: ChartProps) {
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

/** The results of a turn: single figures of several sources as one table, then a chart for each result that has one. */
export default function Charts({ turn: { calls, checks } }: { turn: Turn }) {
  const { overview, charts } = useMemo(() => {
    const results = Object.values(calls).flatMap((call) => {
      const data = readDataResult(call.result);
      return data ? [{ id: call.id, from: formatName(cleanName(call.domain ?? call.name)), data }] : [];
    });
    const table = overviewOf(results);
    return {
      overview: table,
      charts: results
        .filter(({ data }) => !table || !isFigures(data))
        .flatMap(({ id, data }) => {
          const chart = chartOf(data, checks.find((check) => check.call_id === id)?.column);
          return chart ? [{ id, chart, data }] : [];
        }),
    };
  }, [calls, checks]);
  return (
    <>
      {overview && <Overview data={overview} />}
      {charts.map(({ id, chart, data }) => (
        <Chart key={id} chart={chart} data={data} />
      ))}
    </>
  );
}

function Overview({ data }: { data: DataResult }) {
  return (
    <figure className="chart">
      <figcaption>
        <span>{CHART_STRINGS.overview}</span>
      </figcaption>
      <DataTable data={data} label={CHART_STRINGS.overview} />
    </figure>
  );
}
