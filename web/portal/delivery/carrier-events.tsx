import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import type { DeliveryCarrierEvent } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'
import { formatSubStatus } from '../../shared/sub-status-texts.ts'
import { clockWords, isoDay, longDay } from '../../shared/times.ts'

type CarrierEventsProps = { updates: readonly DeliveryCarrierEvent[]; zone: string; nowMs: number }

/** The tracking events of its carriers in order of arrival: the source of the timeline. */
export function CarrierEvents({ updates, zone, nowMs }: CarrierEventsProps) {
  if (updates.length === 0) return null
  return (
    <details className="raw">
      <summary>{count(updates.length, 'carrier update')}, as received</summary>
      <p className="dim">
        The first time shown is when we received the update. The second is the time that the carrier gave.
      </p>
      <ol>
        {updates.map(({ id, at, received_at, status, sub_status, message }) => (
          <li key={id}>
            <Clock at={received_at} beside={nowMs} zone={zone} />
            <span className="what">
              <b>{meaningOf(status, sub_status)}</b>{' '}
              <span className="dim">
                carrier’s time <Clock at={at} beside={Date.parse(received_at)} zone={zone} />
              </span>
              <span className="said">{message}</span>
              <span className="mono faint">{id}</span>
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The time to the second, with its date if it differs from the time beside it. */
function Clock({ at, beside, zone }: { at: string; beside: number; zone: string }) {
  const atMs = Date.parse(at)
  const day = isoDay(atMs, zone) === isoDay(beside, zone) ? '' : `${longDay(atMs, zone)}, `
  return (
    <time className="t" dateTime={at}>
      {day}
      {clockWords(atMs, zone, { seconds: true })}
    </time>
  )
}

function meaningOf(status: DeliveryCarrierEvent['status'], finer: string | undefined): string {
  const words = [status && STATUS_WORDS[status].clerk, finer && formatSubStatus(finer)]
  return words.filter(Boolean).join('. ') || 'No change of status'
}
