import { type ReactNode, useState } from 'react'
import { Icon } from '../../shared/icon.tsx'
import { vars } from '../../shared/vars.ts'
import { Wide } from '../wide.tsx'
import { ranked, type Sorted } from './ranked.ts'

/** A column: its title, its sort value (text ascending, figures descending) and its content. */
export type RankColumn<T> = {
  word: string
  by(row: T): string | number | null
  cell(row: T): ReactNode
  look?: 'num'
  isText?: true
}

type RankTableProps<T> = {
  label: string
  rows: readonly T[]
  keyOf(row: T): string
  /** The first column names the row. */
  columns: readonly RankColumn<T>[]
  /** The initial sort column, descending. */
  first: number
}

/** A table that the reader sorts by any column. */
export function RankTable<T>({ label, rows, keyOf, columns, first }: RankTableProps<T>) {
  const [sorted, setSorted] = useState<Sorted>({ column: first, down: true })
  const press = (column: number) =>
    setSorted({ column, down: column === sorted.column ? !sorted.down : !columns[column]?.isText })
  const by = columns[sorted.column]?.by
  return (
    <Wide label={label}>
      <table className="plain rank">
        <thead>
          <tr>
            {columns.map(({ word, look }, column) => {
              const order = sorted.down ? 'descending' : 'ascending'
              const isSorted = column === sorted.column
              return (
                <th key={word} scope="col" className={look} aria-sort={isSorted ? order : undefined}>
                  <button type="button" className="sort" onClick={() => press(column)}>
                    {word}
                    <span className={isSorted ? `way ${order}` : 'way'}>
                      <Icon name="down" size={12} />
                    </span>
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {(by ? ranked(rows, by, sorted) : rows).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ word, cell, look }, column) =>
                column === 0 ? (
                  <th key={word} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={word} className={look}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

/** A count as a bar beside its figure; `share` is of the largest. */
export function Bar({ share }: { share: number }) {
  return <i className="bar" style={vars({ w: Math.round(share * 100) })} aria-hidden="true" />
}
