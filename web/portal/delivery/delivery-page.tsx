import { Link, useParams, useRouter } from '@tanstack/react-router'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { Badge } from '../../shared/status-badge.tsx'
import { goBack } from '../back-link.ts'
import { formatParcelCount, hasDangerousGoods } from '../format-parcels.ts'
import { formatWhen } from '../format-when.ts'
import { useKeys } from '../keys/use-keys.ts'
import { storeOf, usePortal } from '../portal.ts'
import { classify, closingMs } from '../today/classify.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { ActionBar } from './action-bar.tsx'
import { isToManifest } from './actions.ts'
import { AddressCard } from './address-card.tsx'
import { CarrierEvents } from './carrier-events.tsx'
import { PendingCancellation, ToBeCancelled } from './pending-cancellation.tsx'
import './delivery.css'
import { Journey } from './journey.tsx'
import { ParcelsCard } from './parcels-card.tsx'
import { Timeline } from './timeline.tsx'
import { toHistoryEntries } from './timeline-entries.ts'
import { useDelivery } from './use-delivery.ts'
import { Why } from './why.tsx'

/** One delivery: its problem, its actions, its journey, the choice of its carrier, its history. */
export function DeliveryPage() {
  const { deliveryId } = useParams({ from: '/inside/deliveries/$deliveryId' })
  const portal = usePortal()
  const nowMs = useMinute()
  const { history } = useRouter()
  const { delivery, decision, events, messages, updates } = useDelivery(deliveryId)
  const one = delivery.data
  const store = one ? storeOf(portal, one.store_id) : portal.store
  useTitle(one ? titleOf(one, store, nowMs) : 'Delivery')
  useKeys({ escape: () => goBack(history) })
  if (delivery.error && !one) return <ProblemView error={delivery.error} retry={delivery.refetch} />
  if (!one) return <Loading lines={[24, 60, 90, 80]} />
  const { hue, shape, word, cause, remedy } = classify(one, store.services, nowMs)
  const zone = store.time_zone
  return (
    <>
      <p className="crumb">
        <Link to="/today" onClick={() => portal.chooseStore(store.reference)}>
          Today
        </Link>
        , {store.name}
      </p>
      <div className="top">
        <h1>
          {one.reference} <small>{formatTo(one)}</small> <Badge hue={hue} shape={shape} word={word} />
        </h1>
        <p className="sub">
          {one.delivery_mode === 'customer_pickup' && (
            <b>Pickup from the customer for delivery to {store.name}. </b>
          )}
          {formatWhat(one)} {cause ? <b className="cause">{cause}</b> : one.status_reason} {remedy}
        </p>
        <ActionBar key={one.id} delivery={one} />
      </div>
      <p className="when-line">
        <span className="dim">Delivery window</span> <b>{formatWhen(one, zone, nowMs)}</b>
      </p>
      {one.pending_cancellation &&
        (one.status === 'on_hold' ? (
          <ToBeCancelled asked={one.pending_cancellation} zone={zone} />
        ) : (
          <PendingCancellation
            asked={one.pending_cancellation}
            carrier={one.carrier_provider ?? 'The carrier'}
            zone={zone}
          />
        ))}
      <Journey delivery={one} store={store} nowMs={nowMs} />
      <div className="grid">
        <div className="left">
          {decision.data ? (
            <Why key={one.id} delivery={one} decision={decision.data} zone={zone} nowMs={nowMs} />
          ) : decision.error ? (
            <ProblemView error={decision.error} retry={decision.refetch} />
          ) : (
            <Loading lines={[40, 90, 80]} />
          )}
          <ParcelsCard delivery={one} />
        </div>
        <div className="side">
          <AddressCard delivery={one} store={store} />
          {events.error && !events.data && <ProblemView error={events.error} retry={events.refetch} />}
          {events.data && (
            <Timeline
              happenings={toHistoryEntries(one, events.data, messages.data ?? [])}
              due={dueOf(one, store, nowMs)}
              zone={zone}
              nowMs={nowMs}
            >
              <CarrierEvents updates={updates.data ?? []} zone={zone} nowMs={nowMs} />
            </Timeline>
          )}
        </div>
      </div>
    </>
  )
}

function titleOf(delivery: Delivery, store: Store, nowMs: number): string {
  return `${classify(delivery, store.services, nowMs).word}: ${delivery.reference}`
}

/** An erased customer has no name. */
function formatTo({ customer: { first_name, last_name }, address }: Delivery): string {
  return [`${first_name} ${last_name}`.trim(), address.city].filter(Boolean).join(', ')
}

function formatWhat(delivery: Delivery): string {
  const weight = delivery.parcels.reduce((sum, { weight_kg, quantity }) => sum + weight_kg * quantity, 0)
  const goods = hasDangerousGoods(delivery) ? ', with dangerous goods' : ''
  const paper = isToManifest(delivery)
    ? ' This delivery isn’t on a manifest yet. The carrier won’t collect it until it’s on one.'
    : ''
  return `${formatParcelCount(delivery.parcels)}, ${Math.round(weight * 100) / 100} kg${goods}.${paper}`
}

function dueOf(delivery: Delivery, store: Store, nowMs: number): { atMs: number; text: string } | null {
  const atMs = closingMs(delivery, store.services)
  return atMs !== null && atMs > nowMs
    ? { atMs, text: 'Put this delivery on a manifest, or it’ll wait until the next pickup day' }
    : null
}
