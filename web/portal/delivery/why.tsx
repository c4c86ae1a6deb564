import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { bareDollars, dollars } from '../../shared/money.ts'
import { clockWords, momentWords, windowWords } from '../../shared/times.ts'
import { PriceBar, PriceTable } from './price-bar.tsx'
import { type Eligible, eligibleOf, excludedOf, RULE_WORDS, whySentence } from './why-words.ts'

type WhyProps = { delivery: Delivery; decision: DecisionAnswer['data']; zone: string; nowMs: number }

/** Why this carrier: the reason in a sentence, what each would cost, and the rule that kept the others out. */
export function Why({ delivery, decision, zone, nowMs }: WhyProps) {
  const { explanation, attempts } = decision
  const services = explanation?.services ?? []
  const sentence = whySentence(delivery, decision)
  const refusals = attempts.filter(({ state, said }) => state === 'rejected' && said)
  return (
    <section className="sheet whyp" aria-labelledby="why">
      <h2 id="why">{titleOf(delivery)}</h2>
      <p>{sentence ?? 'No record says why.'}</p>
      <Options options={eligibleOf(services)} chosen={delivery.carrier_code} zone={zone} nowMs={nowMs} />
      {refusals.map(({ attempt, service, said, at }) => (
        <div key={attempt} className="not">
          <span className="n">
            <Glyph shape="struck-ring" /> {service}
          </span>
          <span>
            <b>Asked at {clockWords(Date.parse(at), zone)}, and refused.</b> {said}
          </span>
        </div>
      ))}
      {excludedOf(services).map(({ provider, service, rule, detail }) => (
        <div key={provider + service} className="not">
          <span className="n">
            <Glyph shape="struck-ring" /> {service}
          </span>
          <span>
            <b>{RULE_WORDS[rule]}</b> {detail}
          </span>
        </div>
      ))}
      {explanation && (
        <footer>
          <span>Decided {momentWords(Date.parse(explanation.decided_at), zone, nowMs)}</span>
          {explanation.warnings.map((warning) => (
            <span key={warning}>{warning}</span>
          ))}
          <details>
            <summary>As a table</summary>
            {eligibleOf(services).map((option) => (
              <PriceTable key={option.carrier_code} option={option} />
            ))}
          </details>
        </footer>
      )}
    </section>
  )
}

function titleOf({ use_staff_couriers, carrier_provider, service_code, status }: Delivery): string {
  if (use_staff_couriers) return 'Why your own courier'
  if (!carrier_provider) return 'Why no carrier'
  return `Why ${carrier_provider} ${service_code}${status === 'requested' ? ', if nothing changes' : ''}`
}

type OptionsProps = { options: readonly Eligible[]; chosen: string | undefined; zone: string; nowMs: number }

/** The chosen one first, in ink; all to one scale. */
export function Options({ options, chosen, zone, nowMs }: OptionsProps) {
  const scaleCents = Math.max(1, ...options.map(({ price_cents }) => price_cents))
  const first = options.toSorted(
    (a, b) => Number(b.carrier_code === chosen) - Number(a.carrier_code === chosen),
  )
  return first.map((option) => {
    const { carrier_code, service, price_cents, gst_included_cents, from_datetime, to_datetime, lines } =
      option
    return (
      <div key={carrier_code} className={`opt${carrier_code === chosen ? ' chosen' : ''}`}>
        <span className="n">
          <b>{service}</b>
          {carrier_code === chosen && <span className="vh"> (chosen)</span>}
        </span>
        <PriceBar lines={lines} scaleCents={scaleCents} />
        <span className="p">{dollars(price_cents)}</span>
        <span className="w">
          {windowWords(Date.parse(from_datetime), Date.parse(to_datetime), zone, nowMs)}
        </span>
        <span className="d">GST {bareDollars(gst_included_cents)}</span>
      </div>
    )
  })
}
