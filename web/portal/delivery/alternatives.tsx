import { formatWindowAt } from '../../../src/domain/calendar/format-window-at.ts'
import { formatDollarDifference, formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { DayRail } from '../../shared/day-rail.tsx'
import { Loading } from '../../shared/loading.tsx'
import { FieldError } from '../field-error.tsx'
import { doorClock } from '../format-when.ts'
import { storeOf, usePortal } from '../portal.ts'
import './elsewhere.css'
import { type Eligible, excludedOf, optionsOf, RULE_TEXTS } from './decision-texts.ts'
import { LastSeen, useOwnCouriers } from './own-couriers.tsx'
import type { useAlternatives } from './use-alternatives.ts'

type ElsewhereProps = { delivery: Delivery; asked: ReturnType<typeof useAlternatives> }

/** Alternative services, in the order in which they would be booked, each compared with the current booking. */
export function Alternatives({ delivery, asked: { data, error } }: ElsewhereProps) {
  const portal = usePortal()
  const nowMs = portal.nowMs()
  const zone = storeOf(portal, delivery.store_id).time_zone
  if (error) return <FieldError error={error} />
  if (!data) return <Loading lines={[90, 82]} />
  const options = optionsOf(data.explanation.services)
  const excluded = excludedOf(data.explanation.services)
  const present = presentOf(delivery)
  const rows = [...(present ? [present] : []), ...options.map(windowOf)]
  const axis = { fromMs: nowMs, toMs: Math.max(nowMs + 1, ...rows.map(({ toMs }) => toMs)) }
  const clocks = { zone: doorClock(delivery, zone), reader: zone, nowMs }
  const words = (window: Span) => formatWindowAt(window, clocks, 'short')
  const rail = (window: Span, kind: 'full' | 'promised') => (
    <DayRail axis={axis} bar={{ hue: 'go', readyMs: null, window, kind, nowMs }} />
  )
  return (
    <>
      {options.length > 0 && (
        <ul className="others">
          {present && (
            <li>
              <span className="n">{delivery.service_code}</span>
              {rail(present, 'full')}
              <span className="p">{formatDollars(present.cents)}</span>
              <span className="w">{words(present)}</span>
              <span className="d">current carrier</span>
            </li>
          )}
          {options.map((option, index) => (
            <li key={option.carrier_code} className={index === 0 ? 'first' : ''}>
              <span className="n">
                <b>{option.service}</b>
              </span>
              {rail(windowOf(option), 'promised')}
              <span className="p">
                {present
                  ? formatDollarDifference(option.price_cents - present.cents)
                  : formatDollars(option.price_cents)}
              </span>
              <span className="w">
                {words(windowOf(option))}
                {index === 0 && ', first choice'}
              </span>
              <span className="d">{present && formatDollars(option.price_cents)}</span>
            </li>
          ))}
        </ul>
      )}
      {excluded.length > 0 && (
        <details className="others-more" open={options.length === 0}>
          <summary>Services that can’t take this delivery, and why</summary>
          <ul>
            {excluded.map(({ provider, service, rule, detail }) => (
              <li key={provider + service}>
                {service}: <b>{RULE_TEXTS[rule]}</b> {detail}
              </li>
            ))}
          </ul>
        </details>
      )}
      <OwnCouriers storeId={delivery.store_id} zone={zone} />
    </>
  )
}

type Span = { fromMs: number; toMs: number }

function windowOf({ from_datetime, to_datetime }: Pick<Eligible, 'from_datetime' | 'to_datetime'>): Span {
  return { fromMs: Date.parse(from_datetime), toMs: Date.parse(to_datetime) }
}

function presentOf({ service_quote: quote }: Delivery): (Span & { cents: number }) | null {
  if (!quote?.from_datetime || !quote.to_datetime) return null
  const { price_cents: cents, from_datetime, to_datetime } = quote
  return { cents, ...windowOf({ from_datetime, to_datetime }) }
}

/** Other carriers and their contacts, for a delivery that no other service accepts as it is. */
function OwnCouriers({ storeId, zone }: { storeId: string; zone: string }) {
  const { data: here } = useOwnCouriers(storeId)
  if (!here || here.length === 0) return null
  return (
    <>
      <h3>Your own couriers</h3>
      <p className="dim">
        Your couriers can only take deliveries that no carrier has. To give them this order, cancel this
        delivery, then create a new one.
      </p>
      <ul className="own-seen">
        {here.map((courier) => (
          <li key={courier.id}>
            <b>{courier.driver_name}</b> <LastSeen courier={courier} zone={zone} />
          </li>
        ))}
      </ul>
    </>
  )
}
