import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { count } from '../../shared/count.ts'
import { Count, Figure, Share } from './figure.tsx'
import { eachCents } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'
import type { Period } from './period.ts'

type SentenceProps = { insights: Insights; before: Insights; period: Period }

/** The period in sentences, compared with the period before. Each figure opens the deliveries it counts. */
export function Sentence({ insights: { total }, before: { total: before }, period }: SentenceProps) {
  if (total.deliveries === 0) return <p className="lede">No deliveries ended {period.these}.</p>
  const [each, eachBefore] = [eachCents(total), eachCents(before)]
  return (
    <p className="lede">
      <b>
        <Figure>{count(total.deliveries, 'delivery', 'deliveries')}</Figure>
      </b>{' '}
      cost <b>{formatDollars(total.cost_cents)}</b> incl. GST {period.these}
      {before.deliveries > 0 &&
        `: ${formatAgainst(total.cost_cents - before.cost_cents)} ${period.beforeThese} (${formatDollars(before.cost_cents)})`}
      .{' '}
      {each !== null && (
        <>
          On average, carriers charged <b>{formatDollars(each)}</b> per delivery
          {eachBefore !== null && eachBefore !== each && `, ${formatAgainst(each - eachBefore)} before`}.{' '}
        </>
      )}
      {total.delivered_with_window > 0 ? (
        <>
          <b>
            <Share
              narrow={{ timeliness: 'on_time' }}
              part={total.on_time}
              whole={total.delivered_with_window}
            />
          </b>{' '}
          arrived within the window we promised;{' '}
          {total.early > 0 && (
            <>
              <Count of={total.early} narrow={{ timeliness: 'early' }} /> arrived early,{' '}
            </>
          )}
          <Count of={total.late} narrow={{ timeliness: 'late' }} /> arrived late and{' '}
        </>
      ) : (
        'No delivered orders had a promised delivery window; '
      )}
      <Count of={total.returned} narrow={{ status: 'returned' }} /> came back.
    </p>
  )
}

/** `40 cents less than`, `the same as`. */
function formatAgainst(moreCents: number): string {
  if (moreCents === 0) return 'the same as'
  const cents = Math.abs(moreCents)
  const words = cents < 100 ? count(cents, 'cent') : formatDollars(cents)
  return `${words} ${moreCents > 0 ? 'more' : 'less'} than`
}
