import { Link } from '@tanstack/react-router'
import { memo, type RefObject, useEffect, useMemo } from 'react'
import type { Status } from '../../../src/domain/delivery/status.ts'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { dollars } from '../../shared/money.ts'
import { StatusBadge } from '../../shared/status-badge.tsx'
import { momentWords } from '../../shared/times.ts'
import { parcelWords } from '../parcel-words.ts'
import { storeOf, usePortal } from '../portal.ts'
import { Room } from '../rows/room.tsx'
import { useRowAgain } from '../rows/row-again.ts'
import { useSlice } from '../rows/use-slice.ts'
import { whenWords } from '../today/row.tsx'

type DeliveryListProps = {
  list: RefObject<HTMLUListElement | null>
  deliveries: readonly Delivery[]
  /** Rows of several stores say whose they are. */
  named: boolean
  nowMs: number
  /** Told how far rows are drawn, so that older ones can be asked for in time. */
  drawn(to: number): void
}

const guessPx = () => (innerWidth <= 1100 ? 82 : 38)

/** As many rows as there are; those far from the screen are not drawn. */
export function DeliveryList({ list, deliveries, named, nowMs, drawn }: DeliveryListProps) {
  const portal = usePortal()
  const keys = useMemo(() => deliveries.map(({ id }) => id), [deliveries])
  const { from, to, abovePx, belowPx } = useSlice(list, keys, guessPx)
  useRowAgain(list)
  useEffect(() => drawn(to), [drawn, to])
  return (
    <ul className="all-list" ref={list}>
      <Room px={abovePx} />
      {deliveries.slice(from, to).map((one) => (
        <Line key={one.id} delivery={one} store={storeOf(portal, one.store_id)} {...{ named, nowMs }} />
      ))}
      <Room px={belowPx} />
    </ul>
  )
}

type LineProps = { delivery: Delivery; store: Store; named: boolean; nowMs: number }

const Line = memo(function Line({ delivery, store, named, nowMs }: LineProps) {
  const zone = store.time_zone
  const { id, reference, customer, address, carrier_provider, service_code, service_quote, created_at } =
    delivery
  return (
    <li className={`all-row${named ? ' named' : ''}`} data-id={id}>
      <StatusBadge status={delivery.status as Status} />
      {named && <span className="shop">{store.name}</span>}
      <span className="who">
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className="open">
          <b>{reference}</b>
        </Link>{' '}
        <span className="dim">
          {customer.first_name} {customer.last_name}
        </span>
      </span>
      <span className="to">
        {delivery.delivery_mode === 'customer_pickup' && <span className="turned">from </span>}
        <b>{address.city}</b> <span className="faint">{parcelWords(delivery.parcels)}</span>
      </span>
      <span className="car">
        {carrier_provider} <b>{service_code}</b>
      </span>
      <span className="when">{whenWords(delivery, zone, nowMs)}</span>
      <span className="made">made {momentWords(Date.parse(created_at), zone, nowMs)}</span>
      <span className="num">{service_quote && dollars(service_quote.price_cents)}</span>
    </li>
  )
})
