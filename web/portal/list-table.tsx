import type { ReactNode } from 'react'
import { Wide } from './wide.tsx'

/** A column: what it is called (nothing where it holds buttons) and what stands in it. */
export type Column<T> = { word: string | null; cell(row: T): ReactNode; look?: 'num' | 'mono' | 'said' }

type ListTableProps<T> = {
  label: string
  rows: readonly T[]
  keyOf(row: T): string
  columns: readonly Column<T>[]
}

/** Rows of things that are not the day's. On a phone each is a paper of its own, with a column's name before its value. */
export function ListTable<T>({ label, rows, keyOf, columns }: ListTableProps<T>) {
  return (
    <Wide label={label}>
      <table className="list-table">
        <thead>
          <tr>
            {columns.map(({ word, look }) => (
              <th key={word} scope="col" className={look === 'num' ? 'num' : undefined}>
                {word ?? <span className="vh">What can be done</span>}
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
