import { useEffect, useRef, useState } from 'react';
import { type DataResult, isNumeric } from '../state/data-result.ts';
import { STRINGS } from '../strings.ts';
import { formatName, formatValue } from './format.ts';

interface DataTableProps {
  data: DataResult;
  label: string;
  /** The cell that a figure came from. */
  marked?: { row: number; column: string } | undefined;
}

const SHOWN_ROWS = 100;

/** Rows of a result. The marked cell is scrolled into view. */
export function DataTable({ data, label, marked }: DataTableProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? data.rows.length : Math.max(SHOWN_ROWS, (marked?.row ?? 0) + 1);
  useEffect(() => {
    if (!marked || !cell.current || !frame.current) return;
    cell.current.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    startAtColumn(frame.current, cell.current);
  }, [marked]);
  return (
    <>
      <div ref={frame} className="table-scroll data-table" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {data.columns.map((column) => (
                <th key={column.name} scope="col" className={isNumeric(column) ? 'right' : undefined}>
                  {formatName(column.name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.slice(0, shown).map((row, index) => (
              <tr key={`${index}.${label}`} className={marked?.row === index ? 'marked-row' : undefined}>
                {data.columns.map((column) => {
                  const isMarked = marked?.row === index && marked.column === column.name;
                  return (
                    <td
                      key={column.name}
                      ref={isMarked ? cell : undefined}
                      className={`${isNumeric(column) ? 'right' : ''} ${isMarked ? 'marked-cell' : ''}`}
                      aria-current={isMarked ? 'true' : undefined}
                    >
                      {formatValue(row[column.name], column.format)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < data.rows.length && (
        <p className="muted small">
          {STRINGS.row.more(shown, data.rows.length)}{' '}
          <button type="button" className="quiet" onClick={() => setWhole(true)}>
            {STRINGS.call.showAll}
          </button>
        </p>
      )}
    </>
  );
}

/** Scrolls on to the next start of a column, so that no head is cut beside the first column, which stays in place. */
function startAtColumn(frame: HTMLElement, cell: HTMLElement): void {
  const [first, ...heads] = frame.querySelectorAll('th');
  const table = frame.querySelector('table');
  if (!first || !table || frame.scrollLeft === 0) return;
  table.style.marginRight = '';
  const starts = heads.map((head) => head.offsetLeft - first.offsetWidth);
  const start = starts.find((left) => left >= frame.scrollLeft - 1);
  const wanted = Math.min(start ?? Number.POSITIVE_INFINITY, cell.offsetLeft - first.offsetWidth);
  const missing = wanted - (frame.scrollWidth - frame.clientWidth);
  // The last columns may be narrower than the frame.
  if (missing > 0) table.style.marginRight = `${missing}px`;
  frame.scrollLeft = wanted;
}
