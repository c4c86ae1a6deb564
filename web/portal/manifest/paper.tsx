import { Link } from '@tanstack/react-router'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { count } from '../../shared/count.ts'
import { clockWords } from '../../shared/times.ts'
import { formatParcelCount, unitsOf } from '../format-parcels.ts'
import type { Paper } from './papers.ts'

type PaperProps = {
  paper: Paper
  isChosen(id: string): boolean
  choose(id: string): void
  zone: string
  nowMs: number
}

/** One manifest as it will be printed: head, torn edge, rows to choose, sum. */
export function PaperSheet({ paper, isChosen, choose, zone, nowMs }: PaperProps) {
  const chosen = paper.deliveries.filter(({ id }) => isChosen(id))
  return (
    <section className="paper" aria-label={titleOf(paper)}>
      <header>
        {paper.dangerous && (
          <span className="haz" role="img" aria-label="Dangerous goods">
            !
          </span>
        )}
        <div>
          <h2>{titleOf(paper)}</h2>
          <p className="c">
            {paper.group}
            {paper.closesMs !== null && `, ${formatClose(paper.closesMs, zone, nowMs)}`}
          </p>
        </div>
        <span className="n">{chosen.length}</span>
      </header>
      <div className="teeth" />
      <ul>
        {paper.deliveries.map((delivery) => {
          const { id, reference, address, parcels, service_quote } = delivery
          const on = isChosen(id)
          return (
            <li key={id} className={on ? '' : 'out'}>
              <input
                type="checkbox"
                className="ck"
                aria-label={`Put ${reference} on the manifest`}
                checked={on}
                onChange={() => choose(id)}
              />
              <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
                {reference}
              </Link>
              <span className="to">{address.city}</span>
              <span className="p">
                {formatParcelCount(parcels)}&ensp;{service_quote && formatDollars(service_quote.price_cents)}
              </span>
            </li>
          )
        })}
      </ul>
      <footer>
        <span>{formatTotals(chosen)}</span>
        <b>{formatDollars(costOf(chosen))}</b>
      </footer>
    </section>
  )
}

function titleOf({ carrier, dangerous }: Paper): string {
  return dangerous ? `${carrier}, dangerous goods` : carrier
}

function formatClose(closesMs: number, zone: string, nowMs: number): string {
  return closesMs > nowMs
    ? `closes at ${clockWords(closesMs, zone)}`
    : `closed at ${clockWords(closesMs, zone)}, so this manifest is for the next pickup day`
}

export function formatTotals(deliveries: Paper['deliveries']): string {
  const units = deliveries.reduce((sum, { parcels }) => sum + unitsOf(parcels), 0)
  return `${count(deliveries.length, 'delivery', 'deliveries')}, ${count(units, 'parcel')}`
}

export function costOf(deliveries: Paper['deliveries']): number {
  return deliveries.reduce((sum, { service_quote }) => sum + (service_quote?.price_cents ?? 0), 0)
}
