import { memo } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { type Axis, DayRail } from '../../shared/day-rail.tsx'
import { Icon } from '../../shared/icon.tsx'
import { subStatusWords } from '../../shared/sub-status-words.ts'
import { clockWords } from '../../shared/times.ts'
import { barOf } from '../rows/bar-of.ts'
import { RetryAdvice, RowFrame, type Ticked } from '../rows/row-frame.tsx'
import type { Judged } from './arrange.ts'

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
