import { fateOf } from './fate.ts'

/**
 * What a sandbox carrier charges, in cents with GST: the price that its customer has agreed with it, which is the account's
 * rate card, so that manifests reconcile with quotes. The fate `-dearer` charges a fifth more.
 * `agreedCents` null: a caller that sends no agreed price pays the list price.
 */
export function chargeCents(merchantReference: string, agreedCents: number | null, totalKg: number): number {
  const cents = agreedCents ?? LIST_BASE_CENTS + Math.round(LIST_CENTS_PER_KG * totalKg)
  return fateOf(merchantReference) === 'dearer' ? Math.round(cents * DEARER) : cents
}

const LIST_BASE_CENTS = 900
const LIST_CENTS_PER_KG = 60
const DEARER = 1.2
