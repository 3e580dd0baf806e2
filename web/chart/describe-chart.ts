import { CHART_STRINGS } from '../panel-strings.ts';
import { formatValue } from '../parts/format.ts';
import type { ChartData, ChartSeries } from './chart-data.ts';

/** Longer charts are described by their ends and extremes; the table has every value. */
const MOST_SPOKEN = 30;

/** The chart in words, for people who do not see it. */
export function describeChart(chart: ChartData): string {
  const { title, labels, series } = chart;
  const parts = series.map((one) => {
    const points =
      labels.length > MOST_SPOKEN ? notablePoints(chart, one) : labels.map((_, at) => pointText(chart, one, at));
    return [...(one.name ? [`${one.name}:`] : []), points.join(', ')].join(' ');
  });
  return `${title}: ${parts.join('; ')}`;
}

function pointText({ labels, format }: ChartData, { values }: ChartSeries, at: number): string {
  return `${labels[at]} ${formatValue(values[at], format)}`;
}

function notablePoints(chart: ChartData, one: ChartSeries): string[] {
  const { lowest, highest } = extremesOf(one);
  return [
    CHART_STRINGS.points(chart.labels.length),
    pointText(chart, one, 0),
    pointText(chart, one, chart.labels.length - 1),
    `${CHART_STRINGS.lowest} ${pointText(chart, one, lowest)}`,
    `${CHART_STRINGS.highest} ${pointText(chart, one, highest)}`,
  ];
}

/** Places of the lowest and the highest value. */
export function extremesOf({ values }: ChartSeries): { lowest: number; highest: number } {
  const known = values.filter((value) => value !== undefined);
  return { lowest: values.indexOf(Math.min(...known)), highest: values.indexOf(Math.max(...known)) };
}
