import { scenarioOf } from './scenario.ts'

/**
 * The charge of a sandbox carrier, in cents incl. GST: the agreed price, which is the account's rate card, so
 * that manifests reconcile with quotes. The scenario `-dearer` charges a fifth more. `agreedCents` null: a
 * caller that sends no agreed price pays the list price.
 */
export function chargeCents(merchantReference: string, agreedCents: number | null, totalKg: number): number {
  const cents = agreedCents ?? LIST_BASE_CENTS + Math.round(LIST_CENTS_PER_KG * totalKg)
  return scenarioOf(merchantReference) === 'dearer' ? Math.round(cents * DEARER) : cents
}

const LIST_BASE_CENTS = 900
const LIST_CENTS_PER_KG = 60
const DEARER = 1.2
