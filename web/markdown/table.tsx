import type { Tokens } from 'marked';
import { useState } from 'react';
import { STRINGS } from '../strings.ts';
import { type Figures, Inline } from './inline.tsx';

const SHOWN_ROWS = 12;
/** A fold that hides a few rows only saves no room. */
const WHOLE_ROWS = 20;

/** Wide tables scroll inside themselves, also by keyboard. Long ones show their first rows until all are asked for. */
export function Table({ table, figures }: { table: Tokens.Table; figures?: Figures | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || table.rows.length <= WHOLE_ROWS ? table.rows : table.rows.slice(0, SHOWN_ROWS);
  return (
    <>
      <div
        className="table-scroll"
        tabIndex={0}
        role="group"
        aria-label={table.header.map(({ text }) => text).join(', ')}
      >
        <table>
          <thead>
            <tr>
              {table.header.map((cell, column) => (
                <th key={`${column}.${cell.text}`} scope="col" className={alignment(cell)}>
                  <Inline tokens={cell.tokens} figures={figures} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={`${index}.${row[0]?.text}`}>
                {row.map((cell, column) => (
                  <td key={`${column}.${cell.text}`} className={alignment(cell)}>
                    <Inline tokens={cell.tokens} figures={figures} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < table.rows.length && (
        <button type="button" className="quiet show-all" onClick={() => setWhole(true)}>
          {STRINGS.turn.showRows(table.rows.length)}
        </button>
      )}
    </>
  );
}

function alignment({ align }: Tokens.TableCell): string | undefined {
  return align === 'right' ? 'right' : align === 'center' ? 'center' : undefined;
}
