import { type ReactNode, useState } from 'react'

type ChartCardProps = { id: string; title: string; note: string; chart: ReactNode; table: ReactNode }

/** A question with its chart, or the same as a table. */
export function ChartCard({ id, title, note, chart, table }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <section className="sheet pad chart-card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="dim small">{note}</span>
        <button
          type="button"
          className="b quiet linklike"
          aria-pressed={asTable}
          aria-label={`${title} As a table`}
          onClick={() => setAsTable(!asTable)}
        >
          as a {asTable ? 'chart' : 'table'}
        </button>
      </header>
      {asTable ? table : chart}
    </section>
  )
}
