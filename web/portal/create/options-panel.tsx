import { useId } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { QuoteRequest } from '../../shared/api.generated.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { toProblem } from '../../shared/problem.ts'
import { eligibleOf, excludedOf, RULE_TEXTS } from '../delivery/decision-texts.ts'
import { PriceBar } from '../delivery/price-bar.tsx'
import { windowSayer } from '../format-when.ts'
import { choosableOf } from './held-quote.ts'
import { useOptions } from './use-options.ts'

type OptionsPanelProps = {
  quote: QuoteRequest | null
  /** The store that the delivery leaves from. */
  zone: string
  chosen: string | null
  choose(type: string | null): void
  nowMs: number
  /** The current delivery, if the form amends one. */
  before?: { window: string | null; priceCents: number | null }
}

/** Live options while the clerk types: cost and time of each, and why the other services cannot deliver. */
export function OptionsPanel({ quote, zone, chosen, choose, nowMs, before }: OptionsPanelProps) {
  const { data: shown, error } = useOptions(quote)
  const id = useId()
  const data = shown?.explanation
  const options = eligibleOf(data?.services ?? [])
  const choosable = choosableOf(data?.services ?? [])
  const [first] = choosable
  const firstOf = (type: string) => choosable.find(({ delivery_type }) => delivery_type === type)
  const taken = chosen === null ? first : firstOf(chosen)
  const when = windowSayer(quote ?? { address: {} }, zone, nowMs)
  const scaleCents = Math.max(1, ...options.map(({ price_cents }) => price_cents))
  return (
    <section className="sheet whyp options" aria-labelledby="options">
      <h2 id="options">Delivery options</h2>
      {before && (
        <p className="dim">
          Before this change: {before.window ?? 'delivery window not known'}
          {before.priceCents !== null && `, ${formatDollars(before.priceCents)}`}.
        </p>
      )}
      {!quote && (
        <p className="dim">
          Enter a suburb and postcode, and each parcel’s size and weight, to see the options.
        </p>
      )}
      {error && quote && (
        <p role="alert" className="field-error">
          {toProblem(error).message}
        </p>
      )}
      {quote && data && !error && (
        <fieldset>
          <legend className="vh">Service</legend>
          {options.length === 0 && (
            <p>
              <b>No service can take this delivery.</b> The reasons are below.
            </p>
          )}
          {first && (
            <label className="pick">
              <input type="radio" name="service" checked={chosen === null} onChange={() => choose(null)} />
              <b>The service your settings put first: {first.service}</b>
            </label>
          )}
          {options.map((option, index) => {
            const booked = firstOf(option.delivery_type)
            const reasonId = booked === option ? undefined : `${id}-${index}`
            return (
              <div key={option.carrier_code} className={`opt${option === taken ? ' chosen' : ''}`}>
                <label className="n pick">
                  <input
                    type="radio"
                    name="service"
                    checked={chosen !== null && option === taken}
                    disabled={reasonId !== undefined}
                    aria-describedby={reasonId}
                    onChange={() => choose(option.delivery_type)}
                  />
                  <b>{option.service}</b>
                </label>
                <PriceBar lines={option.lines} scaleCents={scaleCents} />
                <span className="p">{formatDollars(option.price_cents)}</span>
                <span className="w">
                  {when(option)}
                  {reasonId && booked && (
                    <span id={reasonId}>
                      <br />
                      Can’t be chosen: we’d book {booked.service} for this delivery type.
                    </span>
                  )}
                </span>
              </div>
            )
          })}
        </fieldset>
      )}
      {quote &&
        !error &&
        excludedOf(data?.services ?? []).map(({ provider, service, rule, detail }) => (
          <div key={provider + service} className="not">
            <span className="n">
              <Glyph shape="struck-ring" /> {service}
            </span>
            <span>
              <b>{RULE_TEXTS[rule]}</b> {detail}
            </span>
          </div>
        ))}
      {data?.warnings.map((warning) => (
        <p key={warning} className="dim">
          {warning}
        </p>
      ))}
    </section>
  )
}
