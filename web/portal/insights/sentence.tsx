import { dollars } from '../../shared/money.ts'
import type { Insights } from './insights-page.tsx'
import { eachCents, shareWords } from './words.ts'

/** The period in a sentence, against as many days before. */
export function Sentence({ insights: { total, before }, days }: { insights: Insights; days: number }) {
  if (total.deliveries === 0) {
    return (
      <p className="lede">
        Nothing ended in these {days} days. What is delivered is counted here from then on.
      </p>
    )
  }
  const each = eachCents(total)
  const less = before.deliveries > 0 ? eachCents(before) - each : null
  return (
    <p className="lede">
      <b>
        {total.deliveries.toLocaleString('en-AU')} {total.deliveries === 1 ? 'delivery' : 'deliveries'}
      </b>{' '}
      at <b>{dollars(each)}</b> each
      {less !== null && less !== 0 && `, ${againstWords(less)} than the ${days} days before`}.{' '}
      {total.timed > 0 ? (
        <>
          <b>{shareWords(total.inside, total.timed)}</b> came inside the window we promised; {total.late} came
          late
        </>
      ) : (
        'None had a window'
      )}{' '}
      and {total.returned} came back.
    </p>
  )
}

function againstWords(lessCents: number): string {
  const cents = Math.abs(lessCents)
  const words = cents < 100 ? `${cents} ${cents === 1 ? 'cent' : 'cents'}` : dollars(cents)
  return `${words} ${lessCents > 0 ? 'less' : 'more'}`
}
