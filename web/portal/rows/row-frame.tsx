import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { Badge } from '../../shared/status-badge.tsx'
import { ClassDiamond } from '../class-diamond.tsx'
import { formatParcelCount } from '../format-parcels.ts'
import { formatWhen } from '../format-when.ts'
import type { ClassifiedDelivery } from '../today/group-rows.ts'
import { useFlash } from './use-flash.ts'

export type Ticked = { ticked: boolean; tick(id: string, through: boolean): void }

type FrameProps = ClassifiedDelivery &
  Ticked & {
    zone: string
    nowMs: number
    name?: string
    /** Its status, shown before a judgement. */
    after?: ReactNode
    /** Its bar, between carrier and window. */
    day: ReactNode
    act: ReactNode
    /** The line below it if there is no problem. */
    remark?: ReactNode
  }

/** A delivery in any list. The whole row opens it; checkbox and action are separate targets. */
export function RowFrame(props: FrameProps) {
  const { delivery, classification, zone, nowMs, ticked, tick, name = '', after, day, act, remark } = props
  const { id, reference, customer, address, parcels } = delivery
  const { hue, shape, word, cause, remedy } = classification
  const flash = useFlash(word, hue)
  const note = cause ? (
    <>
      <b>{cause}</b> {remedy}
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
        <b>{address.city}</b> <span className="faint">{formatParcelCount(parcels)}</span>{' '}
        <ClassDiamond parcels={parcels} />
      </span>
      <Carrier delivery={delivery} />
      {day}
      <span className="when">{formatWhen(delivery, zone, nowMs)}</span>
      <span className="act">{act}</span>
      {note && <p className="note">{note}</p>}
    </li>
  )
}

/** Where the user resolves it. */
export function RetryAdvice({ delivery }: { delivery: Delivery }) {
  return (
    <Link
      to="/deliveries/$deliveryId"
      params={{ deliveryId: delivery.id }}
      className="b s"
      aria-label={`${retryWord(delivery)}, ${delivery.reference}`}
    >
      {retryWord(delivery)}
    </Link>
  )
}

function Carrier({ delivery }: { delivery: Delivery }) {
  const { use_staff_couriers, staff_courier, carrier_provider, service_code } = delivery
  if (use_staff_couriers) {
    return (
      <span className="car">
        <span>Own couriers</span> <b>{staff_courier?.driver_name?.split(' ')[0]}</b>
      </span>
    )
  }
  return (
    <span className="car">
      <span>{carrier_provider}</span> <b>{service_code}</b>
    </span>
  )
}

function retryWord({ status }: Delivery): string {
  if (status === 'on_hold') return 'Resolve'
  return status === 'returned' ? 'See what was returned' : 'Open'
}
