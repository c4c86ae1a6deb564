import type { ReactNode } from 'react'
import { Wide } from './wide.tsx'

/** A column: its title (empty for buttons) and its content. */
export type Column<T> = { word: string | null; cell(row: T): ReactNode; look?: 'num' | 'mono' | 'said' }

type ListTableProps<T> = {
  label: string
  rows: readonly T[]
  keyOf(row: T): string
  columns: readonly Column<T>[]
}

/** A table of resources. On a phone each row is a card, with the column's title before each value. */
export function ListTable<T>({ label, rows, keyOf, columns }: ListTableProps<T>) {
  return (
    <Wide label={label}>
      <table className="list-table">
        <thead>
          <tr>
            {columns.map(({ word, look }) => (
              <th key={word} scope="col" className={look === 'num' ? 'num' : undefined}>
                {word ?? <span className="vh">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ word, cell, look }) => (
                <td key={word} className={look} data-word={word}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
