import { memo } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { type Axis, DayRail } from '../../shared/day-rail.tsx'
import { Icon } from '../../shared/icon.tsx'
import { formatSubStatus } from '../../shared/sub-status-texts.ts'
import { clockWords } from '../../shared/times.ts'
import { toBar } from '../rows/delivery-bar.ts'
import { RetryAdvice, RowFrame, type Ticked } from '../rows/row-frame.tsx'
import type { ClassifiedDelivery } from './group-rows.ts'

type OfDay = { axis: Axis; zone: string; nowMs: number; printedMs: number | undefined }

/** One delivery of the day, on its rail. */
export const Row = memo(function Row(props: ClassifiedDelivery & Ticked & OfDay) {
  const { delivery, classification, axis, zone, nowMs, ticked, tick, printedMs } = props
  return (
    <RowFrame
      {...{ delivery, classification, zone, nowMs, ticked, tick }}
      day={<DayRail axis={axis} bar={toBar(delivery, classification, nowMs)} />}
      act={
        classification.group === 'needs' ? (
          <RetryAdvice delivery={delivery} />
        ) : (
          <Fact delivery={delivery} printedMs={printedMs} zone={zone} />
        )
      }
    />
  )
})

function Fact({
  delivery,
  printedMs,
  zone,
}: {
  delivery: Delivery
  printedMs: number | undefined
  zone: string
}) {
  if (delivery.sub_status) return <span className="nx">{formatSubStatus(delivery.sub_status)}</span>
  if (printedMs === undefined || !delivery.label_url) return null
  return (
    <span className="faint pr">
      <Icon name="print" size={14} />
      <span className="vh">Printed </span>
      {clockWords(printedMs, zone)}
    </span>
  )
}
