import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { type Axis, DayRail, type RailBar } from '../../shared/day-rail.tsx'
import { Icon } from '../../shared/icon.tsx'
import { Badge } from '../../shared/status-badge.tsx'
import { subStatusWords } from '../../shared/sub-status-words.ts'
import { clockWords, windowWords } from '../../shared/times.ts'
import { ClassDiamond } from '../class-diamond.tsx'
import { parcelWords } from '../parcel-words.ts'
import { useFlash } from '../rows/use-flash.ts'
import type { Judged } from './arrange.ts'
import { type Judgement, lateBy } from './judge.ts'

type Ticked = { ticked: boolean; tick(id: string, through: boolean): void }
type OfDay = { axis: Axis; zone: string; nowMs: number; printedMs: number | undefined }

/** One delivery of the day, on its rail. */
export const Row = memo(function Row(props: Judged & Ticked & OfDay) {
  const { delivery, judgement, axis, zone, nowMs, ticked, tick, printedMs } = props
  return (
    <RowFrame
      {...{ delivery, judgement, zone, nowMs, ticked, tick }}
      day={<DayRail axis={axis} bar={barOf(delivery, judgement, nowMs)} />}
      act={
        judgement.group === 'needs' ? (
          <Cure delivery={delivery} />
        ) : (
          <Fact delivery={delivery} printedMs={printedMs} zone={zone} />
        )
      }
    />
  )
})

type FrameProps = Judged &
  Ticked & {
    zone: string
    nowMs: number
    name?: string
    /** Its status, where a judgement stands before it. */
    after?: ReactNode
    /** Its place in time, between its carrier and its window. */
    day: ReactNode
    act: ReactNode
    /** What stands below it where nothing is the matter. */
    remark?: ReactNode
  }

/** A delivery in any list. The whole row opens it; tick and action are their own targets. */
export function RowFrame(props: FrameProps) {
  const { delivery, judgement, zone, nowMs, ticked, tick, name = '', after, day, act, remark } = props
  const { id, reference, customer, address, parcels } = delivery
  const { hue, shape, word, cause, cure } = judgement
  const flash = useFlash(word, hue)
  const note = cause ? (
    <>
      <b>{cause}</b> {cure}
    </>
  ) : (
    remark
  )
  return (
    <li className={`row${name}${note ? ' two' : ''}${ticked ? ' sel' : ''}${flash}`} data-id={id}>
      <input
        type="checkbox"
        className="ck"
        aria-label={`Tick ${reference}`}
        checked={ticked}
        onChange={() => {}}
        onClick={(event) => tick(id, event.shiftKey)}
      />
      <span className="judged">
        <Badge hue={hue} shape={shape} word={word} /> {after}
      </span>
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
        <b>{address.city}</b> <span className="faint">{parcelWords(parcels)}</span>{' '}
        <ClassDiamond parcels={parcels} />
      </span>
      <Carrier delivery={delivery} />
      {day}
      <span className="when">{whenWords(delivery, zone, nowMs)}</span>
      <span className="act">{act}</span>
      {note && <p className="note">{note}</p>}
    </li>
  )
}

/** Where a person sees to it. */
export function Cure({ delivery }: { delivery: Delivery }) {
  return (
    <Link
      to="/deliveries/$deliveryId"
      params={{ deliveryId: delivery.id }}
      className="b s"
      aria-label={`${cureWord(delivery)}, ${delivery.reference}`}
    >
      {cureWord(delivery)}
    </Link>
  )
}

function Carrier({ delivery }: { delivery: Delivery }) {
  const { use_staff_couriers, staff_courier, carrier_provider, service_code } = delivery
  if (use_staff_couriers) {
    return (
      <span className="car">
        <span>Own network</span> <b>{staff_courier?.driver_name?.split(' ')[0]}</b>
      </span>
    )
  }
  return (
    <span className="car">
      <span>{carrier_provider}</span> <b>{service_code}</b>
    </span>
  )
}

function Fact({
  delivery,
  printedMs,
  zone,
}: {
  delivery: Delivery
  printedMs: number | undefined
  zone: string
}) {
  if (delivery.sub_status) return <span className="nx">{subStatusWords(delivery.sub_status)}</span>
  if (printedMs === undefined || !delivery.label_url) return null
  return (
    <span className="faint pr">
      <Icon name="print" size={14} />
      <span className="vh">Printed </span>
      {clockWords(printedMs, zone)}
    </span>
  )
}

export function whenWords(delivery: Delivery, zone: string, nowMs: number): string {
  const { from_datetime, to_datetime, status } = delivery
  if (!from_datetime || !to_datetime || status === 'on_hold') return 'Not known'
  const words = windowWords(Date.parse(from_datetime), Date.parse(to_datetime), zone, nowMs)
  return status === 'requested' ? `about ${words}` : words
}

function cureWord({ status }: Delivery): string {
  if (status === 'on_hold') return 'See to it'
  return status === 'returned' ? 'See what came back' : 'See it'
}

export function barOf(delivery: Delivery, { hue }: Pick<Judgement, 'hue'>, nowMs: number): RailBar {
  const { from_datetime, to_datetime, ready_for_pickup_at, status, updated_at } = delivery
  const known = from_datetime && to_datetime && status !== 'on_hold'
  return {
    hue,
    readyMs: Date.parse(ready_for_pickup_at),
    window: known ? { fromMs: Date.parse(from_datetime), toMs: Date.parse(to_datetime) } : null,
    kind: kindOf(delivery, nowMs),
    nowMs,
    doneMs: status === 'delivered' ? Date.parse(updated_at) : null,
  }
}

function kindOf(delivery: Delivery, nowMs: number): RailBar['kind'] {
  if (lateBy(delivery, nowMs) !== null) return 'late'
  if (['requested', 'created', 'on_hold', 'cancelled'].includes(delivery.status)) return 'guess'
  return ['collected', 'delivered', 'pending_return'].includes(delivery.status) ? 'full' : 'promised'
}
