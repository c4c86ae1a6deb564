import { isSame } from '../../domain/account/differences.ts'
import { RateCardDocument } from '../../domain/account/document/document-rate-card.ts'
import { type RateCardInput, readRateCardSheet } from '../../domain/account/rate-card-sheet.ts'
import { Refusal } from '../../domain/errors.ts'
import { type SamplePrice, samplePrices } from '../../domain/quoting/rate-card-samples.ts'
import type { SheetMistake } from '../../domain/text/sheet-table.ts'
import { readSheets } from '../../sheets/read-sheet.ts'
import { UnreadableSheet } from '../../sheets/sheet.ts'
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
  const next = withCubicFactor(card, service)
  // An unchanged list keeps the words of the document: what is exported and imported again changes nothing.
  const isUnchanged = service.rate_card !== undefined && isSame(meant(service.rate_card), meant(next))
  if (!isUnchanged) service.rate_card = next
  delete service.price
  const before = samplePrices(getService(document, named).rate_card ?? null, next)
  const applied = await applyAccount(deps, changed, { ...options, expectVersion: version })
  return { ...applied, before, after: samplePrices(next, next) }
}

/** What an owner's price list contains for a service: the card and the prices before and after, or its mistakes. */
export type ReadCard =
  | { card: RateCardInput; before: SamplePrice[]; after: SamplePrice[] }
  | { mistakes: readonly SheetMistake[] }

/** Reads a CSV or Excel file as the rate card of a service, and changes nothing. Throws a Refusal `not_found`. */
export async function readRateCard(
  deps: Pick<Deps, 'db'>,
  named: CardOf,
  file: Uint8Array,
): Promise<ReadCard> {
  const { document } = await exportAccount(deps, named.accountId)
  const service = findService(document, named)
  if (!service) throw new Refusal('not_found', `There is no service ${named.provider} ${named.service}.`)
  const sheets = await readSheets(file).catch((error: unknown) => {
    if (error instanceof UnreadableSheet) return error
    throw error
  })
  if (sheets instanceof UnreadableSheet)
    return { mistakes: [{ row: 1, column: '', message: sheets.message }] }
  const { card, mistakes } = readRateCardSheet(sheets)
  if (!card) return { mistakes }
  const next = withCubicFactor(card, service)
  return {
    card: next,
    before: samplePrices(service.rate_card ?? null, next),
    after: samplePrices(next, next),
  }
}

/** A price list has no cubic factor, so the service keeps its current one. */
function withCubicFactor(card: RateCardInput, service: Priced): RateCardInput {
  const { cubic_kg_per_m3 = service.rate_card?.cubic_kg_per_m3 } = card
  return { ...card, ...(cubic_kg_per_m3 === undefined ? {} : { cubic_kg_per_m3 }) }
}

function meant(card: RateCardInput): unknown {
  return RateCardDocument.safeParse(card).data ?? card
}

type Priced = { service: string; price?: unknown; rate_card?: RateCardInput }

function getService(document: unknown, { provider, service }: CardOf): Priced {
  const { carriers = [] } = document as { carriers?: { provider: string; services: Priced[] }[] }
  const carrier = carriers.find((one) => one.provider === provider)
  if (!carrier) throw new Error(`There is no carrier ${provider}. Carriers: ${names(carriers, 'provider')}.`)
  const found = carrier.services.find((one) => one.service === service)
  if (!found)
    throw new Error(`${provider} has no service ${service}. Services: ${names(carrier.services, 'service')}.`)
  return found
}

function findService(document: unknown, { provider, service }: CardOf): Priced | undefined {
  const { carriers = [] } = document as { carriers?: { provider: string; services: Priced[] }[] }
  return carriers.find((one) => one.provider === provider)?.services.find((one) => one.service === service)
}

function names<K extends string>(all: readonly Record<K, string>[], key: K): string {
  return all.map((one) => one[key]).join(', ') || 'none'
}
