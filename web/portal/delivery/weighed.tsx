import { Glyph } from '../../shared/glyph.tsx'
import { bareDollars, dollars } from '../../shared/money.ts'
import { windowWords } from '../../shared/times.ts'
import { PriceBar } from './price-bar.tsx'
import { type Eligible, excludedOf, RULE_WORDS, type Service } from './why-words.ts'

type OptionsProps = {
  options: readonly Eligible[]
  /** Which carrier code stands first, in ink; and in what sense. */
  chosen: string | undefined
  sense?: string
  zone: string
  nowMs: number
}

/** The chosen one first, in ink; all to one scale. */
export function Options({ options, chosen, sense = 'chosen', zone, nowMs }: OptionsProps) {
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
          {carrier_code === chosen && <span className="vh"> ({sense})</span>}
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

/** What is no option: the rule, then this delivery's fact. */
export function KeptOut({ services }: { services: readonly Service[] }) {
  return excludedOf(services).map(({ provider, service, rule, detail }) => (
    <div key={provider + service} className="not">
      <span className="n">
        <Glyph shape="struck-ring" /> {service}
      </span>
      <span>
        <b>{RULE_WORDS[rule]}</b> {detail}
      </span>
    </div>
  ))
}
