import { formatDay } from '../../src/domain/calendar/format-window.ts'
import { wallAt } from '../../src/domain/calendar/format-window-at.ts'
import type { Tracking } from '../shared/api.generated.ts'
import { clockOf, dayOf, fromNow } from '../shared/page-times.ts'
import { formatTrackingWindow, windowZone } from './format-tracking-window.ts'

/** Who, what, when: the three lines that most readers came for. `lost`: the data is out of date. */
export function Hero({ tracking, nowMs, lost }: { tracking: Tracking; nowMs: number; lost: boolean }) {
  const { first_name, headline, detail: more, likely_at, delivered } = tracking
  const relative = likely_at && !lost && fromNow(likely_at, nowMs)
  return (
    <section className="hero">
      <p className="s" aria-live="polite">
        <b>
          <bdi>{first_name}</bdi>, {lowered(headline)}
        </b>{' '}
        {more && more !== headline ? `${more} ` : ''}
        {promise(tracking)}
      </p>
      <h1>
        <When tracking={tracking} />
      </h1>
      {likely_at && (
        <p className="about">
          Most likely about{' '}
          <b>
            <time dateTime={likely_at}>{clockOf(likely_at)}</time>
          </b>
          {relative && `, ${relative}`}.
        </p>
      )}
      {delivered?.place && <p className="about">{LEFT[delivered.place]}</p>}
    </section>
  )
}

const LEFT = { at_door: 'It was left at your door.', with_person: 'It was handed over in person.' } as const

/** The window, or the time of delivery; without either, the sentence alone. */
function When({ tracking }: { tracking: Tracking }) {
  const { delivered, from_datetime: from, to_datetime: to } = tracking
  if (delivered) return <time dateTime={delivered.at}>{clockOf(delivered.at)}</time>
  if (!isComing(tracking) || !from || !to) return <>{tracking.headline}</>
  const [start = '', end = ''] = formatTrackingWindow(tracking, 'hours').split(' – ')
  // A line breaks between the times and before the place: `8 pm, Melbourne time` is wider than a phone.
  const [until, place] = end.split(', ')
  return (
    <>
      <span>{start} –</span>{' '}
      <span>
        {until}
        {place && ','}
      </span>{' '}
      {place && <span>{place}</span>}
    </>
  )
}

/** The line above the large time: the day, and whether the data is current. */
function promise(tracking: Tracking): string {
  const { delivered, from_datetime: from, now, late, delivery_mode } = tracking
  if (delivered) return `It came ${dayOf(delivered.at, now)}, at`
  if (!isComing(tracking) || !from) return ''
  const zone = windowZone(tracking)
  const day = formatDay(wallAt(zone, Date.parse(from)).day, wallAt(zone, Date.parse(now)).day)
  if (late) return `It was due ${day},`
  return delivery_mode === 'customer_pickup' ? `The store expects it ${day},` : `It comes ${day},`
}

function isComing({ status }: Tracking): boolean {
  return !['delivered', 'pending_return', 'returned', 'cancelled'].includes(status)
}

/** Starts with the status: people read it among many tabs. */
export function titleOf(tracking: Tracking): string {
  const { from_datetime: from, to_datetime: to, brand, headline } = tracking
  if (!isComing(tracking) || !from || !to) return `${headline} - ${brand.name}`
  return `${tracking.late ? 'Late: ' : ''}${formatTrackingWindow(tracking, 'near')} - ${brand.name}`
}

/** After a name a sentence starts in lower case, unless its first word is a name. */
function lowered(sentence: string): string {
  return /^(It|We|A|The|This)\b/.test(sentence) ? sentence[0]?.toLowerCase() + sentence.slice(1) : sentence
}
