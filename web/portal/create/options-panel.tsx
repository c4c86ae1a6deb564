import { useId } from 'react'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { QuoteRequest } from '../../shared/api.generated.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { toProblem } from '../../shared/problem.ts'
import { eligibleOf, excludedOf, RULE_TEXTS } from '../delivery/decision-texts.ts'
import { PriceBar } from '../delivery/price-bar.tsx'
import { windowSayer } from '../format-when.ts'
import type { Draft } from './draft.ts'
import { findChosenOption, listFirstOfTypes, namesCarriers, toChoice } from './held-quote.ts'
import { useOptions } from './use-options.ts'

type Choice = Pick<Draft, 'deliveryType' | 'service'>

type OptionsPanelProps = {
  quote: QuoteRequest | null
  /** The store that the delivery leaves from. */
  zone: string
  choice: Choice
  choose(choice: Choice): void
  /** Whether the request can name a service. An amendment cannot. */
  canNameService: boolean
  nowMs: number
  /** The current delivery, if the form amends one. */
  before?: { window: string | null; priceCents: number | null }
}

/** Live options while the clerk types: cost and time of each, and why the other services cannot deliver. */
export function OptionsPanel(props: OptionsPanelProps) {
  const { quote, zone, choice, choose, nowMs, before } = props
  const { data: shown, error } = useOptions(quote)
  const id = useId()
  const data = shown?.explanation
  const services = data?.services ?? []
  const options = eligibleOf(services)
  const firsts = listFirstOfTypes(services)
  const [first] = firsts
  const taken = findChosenOption(services, choice)
  const isDefault = choice.deliveryType === null
  const canName = props.canNameService && namesCarriers(shown?.data)
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
              <input
                type="radio"
                name="service"
                checked={isDefault}
                onChange={() => choose({ deliveryType: null, service: null })}
              />
              <b>The service your settings put first: {first.service}</b>
            </label>
          )}
          {options.map((option, index) => {
            const ahead = firsts.find((one) => one.delivery_type === option.delivery_type && one !== option)
            const noteId = ahead && `${id}-${index}`
            return (
              <div key={option.carrier_code} className={`opt${option === taken ? ' chosen' : ''}`}>
                <label className="n pick">
                  <input
                    type="radio"
                    name="service"
                    checked={!isDefault && option === taken}
                    disabled={ahead !== undefined && !canName}
                    aria-describedby={noteId}
                    onChange={() => choose(toChoice(option, services))}
                  />
                  <b>{option.service}</b>
                </label>
                <PriceBar lines={option.lines} scaleCents={scaleCents} />
                <span className="p">{formatDollars(option.price_cents)}</span>
                <span className="w">
                  {when(option)}
                  {ahead && (
                    <span id={noteId}>
                      <br />
                      {canName
                        ? 'If you choose this service, we won’t try any other.'
                        : `Can’t be chosen: we’d book ${ahead.service} for this delivery type.`}
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
        excludedOf(services).map(({ provider, service, rule, detail }) => (
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
