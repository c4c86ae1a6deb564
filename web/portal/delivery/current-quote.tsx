import type { OptionsAnswer } from '../../shared/api.generated.ts'
import { formatMoment } from '../../shared/times.ts'
import { type Eligible, nowSentence, optionsOf } from './decision-texts.ts'
import { ExcludedServices, OptionsTable } from './options-table.tsx'

type CurrentQuoteProps = {
  explanation: OptionsAnswer['data']['explanation']
  /** The option that was chosen. */
  then: Eligible | undefined
  zone: string
  nowMs: number
  /** Formats a window with its place. */
  when(option: Eligible): string
}

/** A new quote beside the original choice: the option that would be chosen now, and why others are excluded. */
export function CurrentQuote({ explanation, then, zone, nowMs, when }: CurrentQuoteProps) {
  const { services, decided_at, warnings } = explanation
  const options = optionsOf(services)
  const [first] = options
  const same = first?.carrier_code === then?.carrier_code && first?.price_cents === then?.price_cents
  return (
    <div className="asked-now">
      <p>
        <b>Checked again, {formatMoment(Date.parse(decided_at), zone, nowMs)}.</b>{' '}
        {nowSentence(options, then)} We haven’t changed the delivery.
      </p>
      <details key={decided_at} open={!same}>
        <summary>Current prices</summary>
        <OptionsTable
          options={options}
          chosen={first?.carrier_code}
          sense="would be chosen now"
          when={when}
        />
        <ExcludedServices services={services} />
        {warnings.map((warning) => (
          <p key={warning} className="dim">
            {warning}
          </p>
        ))}
      </details>
    </div>
  )
}
