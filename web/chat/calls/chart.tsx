import { useState } from 'react';
import { DataTable } from '../../parts/data-table.tsx';
import type { ChartData } from '../../state/chart-data.ts';
import type { DataResult } from '../../state/data-result.ts';
import { STRINGS } from '../../strings.ts';
import { Line } from '../line.tsx';
import { Bars } from './bars.tsx';

interface ChartProps {
  chart: ChartData;
  data: DataResult;
}

/** Rows of a result as a picture, or as the table that it was drawn from. */
export default function Chart({ chart, data }: ChartProps) {
  const [isTable, setTable] = useState(false);
  return (
    <figure className="chart">
      <figcaption>
        <span>{chart.title}</span>
        <button type="button" className="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? STRINGS.chart.chart : STRINGS.chart.table}
        </button>
      </figcaption>
      {isTable && <DataTable data={data} label={chart.title} />}
      {!isTable && (chart.kind === 'bars' ? <Bars chart={chart} /> : <Line chart={chart} />)}
    </figure>
  );
}
