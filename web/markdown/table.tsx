import type { Tokens } from 'marked';
import { type Figures, Inline } from './inline.tsx';

/** Wide tables scroll inside themselves, also by keyboard. */
export function Table({ table, figures }: { table: Tokens.Table; figures?: Figures | undefined }) {
  return (
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
          {table.rows.map((row, index) => (
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
  );
}

function alignment({ align }: Tokens.TableCell): string | undefined {
  return align === 'right' ? 'right' : align === 'center' ? 'center' : undefined;
}
