import { type CatalogueEntry, isPractice, listCatalogue } from '../../carriers/carrier-catalogue.ts'
import type { Account } from '../../domain/account/account.ts'

/** The carriers that an account can add; practice carriers are simulated. */
export function listCarrierCatalogue({
  mode,
}: Pick<Account, 'mode'>): (CatalogueEntry & { practice: boolean })[] {
  return listCatalogue(mode).map((entry) => ({ ...entry, practice: isPractice(entry) }))
}
