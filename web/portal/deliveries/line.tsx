import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { formatSubStatus } from '../../shared/sub-status-texts.ts'
import { formatMoment } from '../../shared/times.ts'
import { RetryAdvice, RowFrame } from '../rows/row-frame.tsx'
import { classify } from '../today/classify.ts'

type LineProps = {
  delivery: Delivery
  store: Store
  /** With several stores, rows name their store. */
  named: boolean
  /** Whether it can go on a manifest of the selected store. */
  here: boolean
  nowMs: number
  ticked: boolean
  tick(id: string, through: boolean): void
  printedMs: number | undefined
}

/** One delivery of all days: its date is in the place of today's rail. */
export const Line = memo(function Line(props: LineProps) {
  const { delivery, store, named, here, nowMs, ticked, tick, printedMs } = props
  const zone = store.time_zone
  const { status, sub_status, created_at, reference } = delivery
  const classification = classify(delivery, store.services, nowMs)
  const isAlarm = classification.shape === 'triangle'
  return (
    <RowFrame
      {...{ delivery, classification, zone, nowMs, ticked, tick }}
      name=" all-row"
      after={isAlarm && <span className="dim">{STATUS_WORDS[status].clerk}</span>}
      day={
        <span className="on-day">
          {named && <span className="shop">{store.name}</span>} created{' '}
          {formatMoment(Date.parse(created_at), zone, nowMs)}
          {printedMs !== undefined && `, printed ${formatMoment(printedMs, zone, nowMs)}`}
        </span>
      }
      act={
        classification.word === 'Closing' && here ? (
          <Link
            to="/manifest"
            search={{ only: delivery.id }}
            className="b s"
            aria-label={`Manifest ${reference}`}
          >
            Manifest
          </Link>
        ) : classification.group === 'needs' ? (
          <RetryAdvice delivery={delivery} />
        ) : (
          <Price delivery={delivery} />
        )
      }
      remark={sub_status && formatSubStatus(sub_status)}
    />
  )
})

function Price({ delivery: { service_quote } }: { delivery: Delivery }) {
  return service_quote && <span className="num">{formatDollars(service_quote.price_cents)}</span>
}
