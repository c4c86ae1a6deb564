import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import { Glyph } from '../../shared/glyph.tsx'
import { type Eligible, excludedOf, RULE_TEXTS, type Service } from './decision-texts.ts'
import { PriceBar } from './price-bar.tsx'

type OptionsProps = {
  options: readonly Eligible[]
  /** The carrier code that comes first, in ink; and what this means. */
  chosen: string | undefined
  sense?: string
  /** Formats a window with its place. */
  when(option: Eligible): string
}

/** The chosen option first, in ink; all prices to one scale. */
export function OptionsTable({ options, chosen, sense = 'chosen', when }: OptionsProps) {
  const scaleCents = Math.max(1, ...options.map(({ price_cents }) => price_cents))
  const first = options.toSorted(
    (a, b) => Number(b.carrier_code === chosen) - Number(a.carrier_code === chosen),
  )
  return first.map((option) => {
    const { carrier_code, service, price_cents, gst_included_cents, lines } = option
    return (
      <div key={carrier_code} className={`opt${carrier_code === chosen ? ' chosen' : ''}`}>
        <span className="n">
          <b>{service}</b>
          {carrier_code === chosen && <span className="vh"> ({sense})</span>}
        </span>
        <PriceBar lines={lines} scaleCents={scaleCents} />
        <span className="p">{formatDollars(price_cents)}</span>
        <span className="w">{when(option)}</span>
        <span className="d">incl. {formatDollars(gst_included_cents)} GST</span>
      </div>
    )
  })
}

/** Excluded services: the rule, then the fact of this delivery. */
export function ExcludedServices({ services }: { services: readonly Service[] }) {
  return excludedOf(services).map(({ provider, service, rule, detail }) => (
    <div key={provider + service} className="not">
      <span className="n">
        <Glyph shape="struck-ring" /> {service}
      </span>
      <span>
        <b>{RULE_TEXTS[rule]}</b> {detail}
      </span>
    </div>
  ))
}
