import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import type { Outcome } from '../port/carrier.ts'
import { yes } from '../port/outcome.ts'

/** Prices of a carrier that quotes one service at a time: those it quoted, or why it quoted none. */
export async function ratesOfEach(
  carrierCodes: readonly string[],
  ask: (carrierCode: string) => Promise<Outcome<CarrierRate>>,
): Promise<Outcome<readonly CarrierRate[]>> {
  const answers = await Promise.all(carrierCodes.map(ask))
  const quoted = answers.flatMap((answer) => (answer.kind === 'yes' ? [answer.value] : []))
  const silent = answers.find(
    (answer) => answer.kind === 'unknown' || (answer.kind === 'no' && answer.retry === 'later'),
  )
  return quoted.length === 0 && silent && silent.kind !== 'yes' ? silent : yes(quoted)
}

/** The carrier's one price, for any requested service: it sells one kind of delivery. */
export function oneRate(
  carrierCodes: readonly string[],
  { priceCents, ...rest }: Pick<CarrierRate, 'priceCents' | 'quoteId' | 'expiresAtMs' | 'window'>,
): CarrierRate[] {
  const lines = [{ name: 'carrier_price' as const, cents: priceCents, detail: null }]
  return carrierCodes.map((carrierCode) => ({ carrierCode, priceCents, lines, ...rest }))
}

/** A price with its listed surcharges; the rest is freight. */
export function rateWithSurcharges(
  rate: Pick<CarrierRate, 'carrierCode' | 'priceCents' | 'expiresAtMs'>,
  surcharges: readonly { cents: number; detail: string }[],
): CarrierRate {
  const { carrierCode, priceCents } = rate
  const charged = surcharges.filter(({ cents }) => cents !== 0)
  const freightCents = charged.reduce((rest, { cents }) => rest - cents, priceCents)
  const lines = [
    { name: 'carrier_price' as const, cents: freightCents, detail: carrierCode },
    ...charged.map((surcharge) => ({ name: 'surcharge' as const, ...surcharge })),
  ]
  return { ...rate, lines, quoteId: null, window: null }
}
