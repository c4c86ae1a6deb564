import { type ReactNode, useContext, useState } from 'react'
import { type CsvRows, csvOf, saveCsv } from '../csv.ts'
import { ScopeContext } from './figure.tsx'

type ChartCardProps = {
  id: string
  title: string
  note: string
  chart: ReactNode
  /** The same as a table; absent if the chart is one. */
  table?: ReactNode
  csv: CsvRows
}

/** A question with its chart, or the same as a table or a file. */
export function ChartCard({ id, title, note, chart, table, csv }: ChartCardProps) {
  const { ended_from, ended_to } = useContext(ScopeContext)
  const [asTable, setAsTable] = useState(false)
  return (
    <section className="sheet pad chart-card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="dim small">{note}</span>
        <span className="as">
          {table && (
            <button
              type="button"
              className="b quiet linklike"
              aria-label={`${title} Show as a ${asTable ? 'chart' : 'table'}`}
              onClick={() => setAsTable(!asTable)}
            >
              Show as a {asTable ? 'chart' : 'table'}
            </button>
          )}
          <button
            type="button"
            className="b quiet linklike"
            aria-label={`${title} CSV`}
            onClick={() => saveCsv(`insights-${id}-${ended_from}-${ended_to}.csv`, csvOf(csv))}
          >
            CSV
          </button>
        </span>
      </header>
      {asTable && table ? table : chart}
    </section>
  )
}
