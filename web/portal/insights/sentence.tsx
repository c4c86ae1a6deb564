import { count } from '../../shared/count.ts'
import { dollars } from '../../shared/money.ts'
import { Count, Figure, Share } from './figure.tsx'
import { eachCents } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

type SentenceProps = {
  insights: Insights
  /** `these 4 weeks`, and the period to compare with: `the 4 weeks before`. */
  words: { these: string; before: string }
}

/** The period in a sentence, compared with as many days before. Each figure opens the deliveries it counts. */
export function Sentence({ insights: { total, before }, words }: SentenceProps) {
  if (total.deliveries === 0) {
    return <p className="lede">No delivery ended in {words.these}.</p>
  }
  const each = eachCents(total)
  const less = before.deliveries > 0 ? eachCents(before) - each : null
  return (
    <p className="lede">
      <b>
        <Figure>{count(total.deliveries, 'delivery', 'deliveries')}</Figure>
      </b>{' '}
      at <b>{dollars(each)}</b> each
      {less !== null && less !== 0 && `, ${formatAgainst(less)} than ${words.before}`}.{' '}
      {total.delivered_with_window > 0 ? (
        <>
          <b>
            <Share
              narrow={{ timeliness: 'on_time' }}
              part={total.on_time}
              whole={total.delivered_with_window}
            />
          </b>{' '}
          came inside the window we promised; <Count of={total.late} narrow={{ timeliness: 'late' }} /> came
          late
        </>
      ) : (
        'None had a window'
      )}{' '}
      and <Count of={total.returned} narrow={{ status: 'returned' }} /> came back.
    </p>
  )
}

function formatAgainst(lessCents: number): string {
  const cents = Math.abs(lessCents)
  const words = cents < 100 ? count(cents, 'cent') : dollars(cents)
  return `${words} ${lessCents > 0 ? 'less' : 'more'}`
}
