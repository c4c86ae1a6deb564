import { useMutation } from '@tanstack/react-query'
import { ActionButton } from '../../shared/action-button.tsx'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { formatMoment } from '../../shared/times.ts'
import { FieldError } from '../field-error.tsx'
import { windowSayer } from '../format-when.ts'
import { usePortal } from '../portal.ts'
import { CurrentQuote } from './current-quote.tsx'
import { eligibleOf, formatBillingBasis, whySentence } from './decision-texts.ts'
import { ExcludedServices, OptionsTable } from './options-table.tsx'
import { PriceTable } from './price-bar.tsx'
import { askOptions } from './use-delivery.ts'

type WhyProps = { delivery: Delivery; decision: DecisionAnswer['data']; zone: string; nowMs: number }

/** Why this carrier: the reason in a sentence, the price of each option, and the rules that excluded the others. */
export function Why({ delivery, decision, zone, nowMs }: WhyProps) {
  const { tenantId } = usePortal()
  const asking = useMutation({ mutationFn: () => askOptions(tenantId, delivery.id, false) })
  const { explanation, attempts, account_version } = decision
  const services = explanation?.services ?? []
  const options = eligibleOf(services)
  const when = windowSayer(delivery, zone, nowMs)
  const sentence = whySentence(delivery, decision)
  const refusals = attempts.filter(({ state, message }) => state === 'rejected' && message)
  const chosen = options.find(({ carrier_code }) => carrier_code === delivery.carrier_code)
  const charged = chosen && formatBillingBasis(chosen.billing_basis, delivery.parcels)
  return (
    <section className="sheet whyp" aria-labelledby="why">
      <h2 id="why">{titleOf(delivery)}</h2>
      <p>{sentence ?? 'We have no record of the reason.'}</p>
      <OptionsTable options={options} chosen={delivery.carrier_code} when={when} />
      {refusals.map(({ attempt, service, message, at }) => (
        <div key={attempt} className="not">
          <span className="n">
            <Glyph shape="struck-ring" /> {service}
          </span>
          <span>
            <b>Refused {formatMoment(Date.parse(at), zone, nowMs)}.</b> {message}
          </span>
        </div>
      ))}
      <ExcludedServices services={services} />
      {explanation && (
        <footer>
          <span>Decided {formatMoment(Date.parse(explanation.decided_at), zone, nowMs)}</span>
          <span>Settings version {account_version}</span>
          {charged && <span>{charged}</span>}
          {explanation.warnings.map((warning) => (
            <span key={warning}>{warning}</span>
          ))}
          <span className="ways">
            {!delivery.use_staff_couriers && (
              <ActionButton
                type="button"
                className="b quiet linklike"
                busy={asking.isPending}
                onClick={() => asking.mutate()}
              >
                Check prices again
              </ActionButton>
            )}
          </span>
          {options.length > 0 && (
            <details>
              <summary>Show prices as a table</summary>
              {options.map((option) => (
                <PriceTable key={option.carrier_code} option={option} />
              ))}
            </details>
          )}
        </footer>
      )}
      <FieldError error={asking.error} />
      <div role="status">
        {asking.data && (
          <CurrentQuote
            explanation={asking.data.explanation}
            then={chosen}
            zone={zone}
            nowMs={nowMs}
            when={when}
          />
        )}
      </div>
    </section>
  )
}

function titleOf({ use_staff_couriers, carrier_provider, service_code, status }: Delivery): string {
  if (use_staff_couriers) return 'Why your own courier was chosen'
  if (!carrier_provider) return 'Why there’s no carrier'
  const service = [carrier_provider, service_code].filter(Boolean).join(' ')
  return `Why ${service}${status === 'requested' ? ' will be chosen if nothing changes' : ' was chosen'}`
}
