import { isSame } from '../../domain/account/differences.ts'
import { RateCardDocument } from '../../domain/account/document/document-rate-card.ts'
import type { RateCardInput } from '../../domain/account/rate-card-sheet.ts'
import { type SamplePrice, samplePrices } from '../../domain/quoting/rate-card-samples.ts'
import { type Applied, applyAccount, exportAccount } from './apply-account.ts'

type Deps = Parameters<typeof applyAccount>[0]
/** The service of a carrier that a rate card belongs to. */
export type CardOf = { accountId: string; provider: string; service: string }

/** The rate card of a service as in the account document. Throws if there is no such card, naming those that exist. */
export async function exportRateCard(deps: Pick<Deps, 'db'>, named: CardOf): Promise<RateCardInput> {
  const { document } = await exportAccount(deps, named.accountId)
  const { rate_card } = getService(document, named)
  if (!rate_card) throw new Error(`${named.provider} ${named.service} has no rate card.`)
  return rate_card
}

/** Puts a rate card into the account document in place of its price, and applies the document whole or not at all. */
export async function importRateCard(
  deps: Deps,
  named: CardOf,
  card: RateCardInput,
  options: Parameters<typeof applyAccount>[2],
): Promise<Applied & { before: SamplePrice[]; after: SamplePrice[] }> {
  const { document, version } = await exportAccount(deps, named.accountId)
  const changed = structuredClone(document)
  const service = getService(changed, named)
  const { cubic_kg_per_m3 = service.rate_card?.cubic_kg_per_m3 } = card
  const next = { ...card, ...(cubic_kg_per_m3 === undefined ? {} : { cubic_kg_per_m3 }) }
  // An unchanged list keeps the words of the document: what is exported and imported again changes nothing.
  const isUnchanged = service.rate_card !== undefined && isSame(meant(service.rate_card), meant(next))
  if (!isUnchanged) service.rate_card = next
  delete service.price
  const before = samplePrices(getService(document, named).rate_card ?? null, next)
  const applied = await applyAccount(deps, changed, { ...options, expectVersion: version })
  return { ...applied, before, after: samplePrices(next, next) }
}

function meant(card: RateCardInput): unknown {
  return RateCardDocument.safeParse(card).data ?? card
}

type Priced = { service: string; price?: unknown; rate_card?: RateCardInput }

function getService(document: unknown, { provider, service }: CardOf): Priced {
  const { carriers } = document as { carriers: { provider: string; services: Priced[] }[] }
  const carrier = carriers.find((one) => one.provider === provider)
  if (!carrier) throw new Error(`There is no carrier ${provider}; there are ${names(carriers, 'provider')}.`)
  const found = carrier.services.find((one) => one.service === service)
  if (!found)
    throw new Error(`${provider} has no service ${service}; it has ${names(carrier.services, 'service')}.`)
  return found
}

function names<K extends string>(all: readonly Record<K, string>[], key: K): string {
  return all.map((one) => one[key]).join(', ') || 'none'
}
