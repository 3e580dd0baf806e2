import './chart.css';
import { useMemo } from 'react';
import { CHART_STRINGS } from '../panel-strings.ts';
import { DataTable } from '../parts/data-table.tsx';
import { cleanName, formatName } from '../parts/format.ts';
import { type DataResult, readDataResult } from '../state/data-result.ts';
import type { Turn } from '../state/turn.ts';
import { Chart } from './chart.tsx';
import { chartOf } from './chart-data.ts';
import { isFigures, overviewOf } from './overview.ts';

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
