import type { Account } from '../../domain/account/account.ts'
import type { Amendment } from '../../domain/delivery/amend.ts'
import type { DeliveryRequest, QuoteRequest } from '../../domain/delivery/request.ts'
import { type Issue, Refusal } from '../../domain/errors.ts'
import type { Job } from '../../domain/quoting/job.ts'
import {
  numberIssues,
  type ResolvedDelivery,
  resolveDelivery,
} from '../../domain/quoting/resolve/resolve-delivery.ts'
import { resolveQuote } from '../../domain/quoting/resolve/resolve-quote.ts'
import { findNamedStore, type StoreNamed } from '../../domain/quoting/resolve/resolve-store.ts'
import { refuse } from '../../domain/refuse.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, mayUseStore, toResolveContext } from '../directory/caller.ts'

/**
 * Throws Refusal: `not_found` for a store out of the caller's sight, else `invalid_request` with every issue, those
 * that the caller knows beside it last.
 */
export function resolveDeliveryOrRefuse(
  entry: AccountEntry,
  caller: Caller,
  request: DeliveryRequest,
  beside: readonly Issue[] = [],
): ResolvedDelivery {
  requireStoreInSight(entry.account, caller, request)
  const resolved = resolveDelivery(entry.account, request, toResolveContext(entry, caller))
  if ('issues' in resolved) return refuse([...resolved.issues, ...beside])
  return beside.length > 0 ? refuse(beside) : resolved
}

/** The same for quotes and availability. */
export function resolveQuoteOrRefuse(entry: AccountEntry, caller: Caller, request: QuoteRequest): Job {
  requireStoreInSight(entry.account, caller, request)
  const resolved = resolveQuote(entry.account, request, toResolveContext(entry, caller))
  return 'issues' in resolved ? refuse(resolved.issues) : resolved.job
}

function requireStoreInSight(account: Account, caller: Caller, named: StoreNamed): void {
  const store = findNamedStore(account, named)
  if (!store || mayUseStore(caller, store)) return
  throw new Refusal('not_found', `There is no store ${named.storeId ?? named.storeReference}.`)
}

/** The account that an amended delivery is decided under, and the delivery as that account reads it. */
export type Amended = { under: AccountEntry; resolved: ResolvedDelivery }

/**
 * The current account version validates the fields that the request sends. If the delivery has something that the
 * account has dropped since (its type, its store, its dangerous goods), the whole delivery is decided under the version
 * that it was created with. Refuses `invalid_request` with every mistake, and names those in fields that were not sent.
 */
export async function resolveAmended(
  deps: Pick<Deps, 'accounts'>,
  entry: AccountEntry,
  caller: Caller,
  { account_id, account_version }: DeliveryRow,
  request: DeliveryRequest,
  amendment: Amendment,
): Promise<Amended> {
  // Numbers that the amendment does not name stay as they are.
  const numbers = amendment.customer ? numberIssues(entry.account, { ...request, staffCourier: null }) : []
  const now = resolveDelivery(entry.account, request, toResolveContext(entry, caller))
  if (!('issues' in now)) return numbers.length === 0 ? { under: entry, resolved: now } : refuse(numbers)
  const sent = [...now.issues.filter((issue) => isSent(issue, amendment)), ...numbers]
  if (sent.length === now.issues.length + numbers.length) return refuse(sent)

  const under = { ...entry, account: await deps.accounts.atVersion(account_id, account_version) }
  const then = resolveDelivery(under.account, request, toResolveContext(under, caller))
  if (!('issues' in then)) return sent.length === 0 ? { under, resolved: then } : refuse(sent)
  const kept = then.issues.filter((issue) => !isSent(issue, amendment))
  // The sent fields are valid only in the current version, and the delivery's own fields only in the earlier one.
  const torn = sent.length === 0 && kept.length === 0 ? now.issues : kept
  return refuse([...sent, ...torn.map(ofTheDelivery)])
}

/** The fields that an amend may change, by the first part of their path; all others stay as they are. */
const AMENDABLE: Readonly<Record<string, keyof Amendment>> = {
  ready_for_pickup_at: 'readyForPickupAt',
  reference: 'reference',
  delivery_type: 'deliveryType',
  special_instructions: 'specialInstructions',
  address: 'address',
  customer: 'customer',
  line_items: 'lineItems',
  parcels: 'parcels',
}

function isSent({ field }: Issue, amendment: Amendment): boolean {
  const member = AMENDABLE[firstName(field)]
  return member !== undefined && amendment[member] !== null
}

function ofTheDelivery({ field, issue, message }: Issue): Issue {
  const name = firstName(field)
  const remedy =
    name in AMENDABLE
      ? `Send ${name} with this amend to replace it.`
      : 'Cancel the delivery and create a new one.'
  const words = `The delivery already had this ${field}; this amend did not send it. ${message} ${remedy}`
  return { field, issue, message: words }
}

/** `parcels` of `parcels[0].weight_kg`. */
function firstName(field: string): string {
  return /^[^.[]+/.exec(field)?.[0] ?? field
}
