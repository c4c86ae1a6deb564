import type { Account, Store } from '../../account/account.ts'
import { CALENDAR_ENDS_MS } from '../../calendar/store-calendar.ts'
import { type Timestamp, toInstantMs } from '../../calendar/timestamp.ts'
import type { Zone } from '../../calendar/zone.ts'
import { resolveDangerousGoods } from '../../dangerous-goods/resolve.ts'
import { listCrossFieldIssues, type RequestKind } from '../../delivery/cross-field.ts'
import type { ProviderOptions, QuoteRequest, RequestAddress, RequestParcel } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import { classifyAddress } from '../../geo/address-kind.ts'
import { locate } from '../../geo/localities.ts'
import { didYouMean } from '../../text/nearest.ts'
import { type DeliveryType, PRODUCT_TYPES } from '../../values.ts'
import { type Destination, type Job, type JobParcel, NO_CARRIERS } from '../job.ts'
import { findNamedStore, modeIssues, storeIssues, USUAL_MODE } from './resolve-store.ts'

export type ResolveContext = {
  /** The stores that the caller may see. */
  sight: (store: Store) => boolean
  nowMs: number
}

/** The job of a well-formed request, or every mistake that needs the account to detect. */
export function resolveQuote(
  account: Account,
  request: QuoteRequest,
  context: ResolveContext,
): { job: Job } | { issues: Issue[] } {
  return resolveJob(account, request, 'quote', context)
}

/** The steps that quotes and deliveries share. */
export function resolveJob(
  account: Account,
  request: QuoteRequest,
  kind: RequestKind,
  { sight, nowMs }: ResolveContext,
): { job: Job } | { issues: Issue[] } {
  const store = findNamedStore(account, request)
  const mode = request.deliveryMode ?? USUAL_MODE
  const readyForPickupAtMs = toReadyMs(request.readyForPickupAt, store?.zone ?? account.zone)
  const place = resolveDestination(request.address)
  const { parcels, issues: wrongParcels } = jobParcels(account, request.parcels)
  const issues = [
    ...listCrossFieldIssues(request, kind),
    ...storeIssues(account, request, sight),
    ...modeIssues(account, store, mode),
    ...readyIssues(readyForPickupAtMs, nowMs),
    ...deliveryTypeIssues(account, request.deliveryType),
    ...providerIssues(account, request.providerOptions),
    ...('issue' in place ? [place.issue] : []),
    ...wrongParcels,
  ]
  if (store === null || 'issue' in place || issues.length > 0) return { issues }
  return {
    job: {
      store,
      mode,
      destination: place.destination,
      parcels,
      readyForPickupAtMs,
      ignoreBufferTime: request.ignoreBufferTime,
      carrierReadyMs: NO_CARRIERS,
      carriersOff: NO_CARRIERS,
      rateResponses: NO_CARRIERS,
      declaredValueCents: request.priceCentsTotalValue,
      productTypes: new Set(PRODUCT_TYPES.filter((type) => request.productTypes[type] === true)),
      deliveryType: request.deliveryType,
      pin: resolvePin(account, request.providerOptions),
    },
  }
}

type Place = Pick<RequestAddress, 'address2' | 'city' | 'state' | 'postCode' | 'business'> & {
  address: string | null
}

/** The location of an address, or why it cannot be found. Every address is residential unless it says otherwise. */
export function resolveDestination(address: Place): { destination: Destination } | { issue: Issue } {
  const addressKind = classifyAddress(address)
  const found = locate(address, addressKind)
  if ('message' in found) {
    const issue = found.field === 'state' ? 'invalid_value' : 'unknown_place'
    return { issue: { field: `address.${found.field}`, issue, message: found.message } }
  }
  const { lat, lng, suburb, state, postCode, warning, isElsewhere } = found
  const residential = !address.business
  return {
    destination: {
      lat,
      lng,
      suburb,
      state,
      postCode,
      residential,
      addressKind,
      warning,
      ...(isElsewhere && { addressToCheck: true }),
    },
  }
}

/** `provider_options` with the provider's key as the account writes it; requests may use any case. */
export function resolvePin(account: Account, options: ProviderOptions | null): ProviderOptions | null {
  if (!options) return null
  return { provider: options.provider && providerKey(account, options.provider), service: options.service }
}

export function providerIssues(account: Account, options: ProviderOptions | null): Issue[] {
  if (!options) return []
  if (!account.ownCarriers) {
    const message = 'This account does not choose its carriers. Leave provider_options out.'
    return [{ field: 'provider_options', issue: 'not_enabled', message }]
  }
  const { provider, service } = options
  const key = provider && providerKey(account, provider)
  const carrier = key === null ? null : account.carrierByProvider.get(key)
  const issues: Issue[] = []
  if (carrier === undefined) {
    const message = `There is no carrier "${provider}" on this account. ${known(provider!, account.carrierByProvider.keys())}`
    issues.push({ field: 'provider_options.provider', issue: 'unknown_provider', message })
  }
  const services = (carrier ? [carrier] : account.carriers).flatMap((one) =>
    one.services.map((each) => each.service),
  )
  if (service === null || services.includes(service)) return issues
  const owner = carrier ? `${carrier.name} has` : 'The carriers of this account have'
  const message = `${owner} no service "${service}". ${known(service, services)}`
  return [...issues, { field: 'provider_options.service', issue: 'unknown_service', message }]
}

export function deliveryTypeIssues(account: Account, type: DeliveryType | null): Issue[] {
  if (type === null || account.deliveryTypes.has(type)) return []
  const message = `The delivery type ${type} is not enabled on this account; ${[...account.deliveryTypes.keys()].join(', ')} are.`
  return [{ field: 'delivery_type', issue: 'not_enabled', message }]
}

function providerKey(account: Account, provider: string): string {
  const name = provider.toLowerCase()
  return [...account.carrierByProvider.keys()].find((key) => key.toLowerCase() === name) ?? provider
}

function known(word: string, names: Iterable<string>): string {
  const all = [...names]
  return `Known names: ${all.join(', ')}.${didYouMean(word, all)}`
}

/** Epoch milliseconds of `ready_for_pickup_at`; null stays "at once". Without an offset it is the store's time. */
export function toReadyMs(readyForPickupAt: Timestamp | null, zone: Zone): number | null {
  return readyForPickupAt && toInstantMs(readyForPickupAt, zone)
}

/** A time in the recent past is normal: the order is ready. A time long ago is a typing error. */
export function readyIssues(readyMs: number | null, nowMs: number): Issue[] {
  if (readyMs === null) return []
  if (readyMs >= CALENDAR_ENDS_MS)
    return [outOfRange('Public holidays are known until the end of 2030 only.')]
  if (readyMs < nowMs - LONG_AGO_MS) return [outOfRange('That is more than a year ago; check the year.')]
  return []
}

function outOfRange(message: string): Issue {
  return { field: 'ready_for_pickup_at', issue: 'out_of_range', message }
}

const LONG_AGO_MS = 366 * 24 * 60 * 60_000

/**
 * A request's parcels in the job's form, and their mistakes that need the account to detect; if there are
 * issues, do not use the parcels. A parcel without a type is a carton.
 */
export function jobParcels(
  account: Account,
  parcels: readonly RequestParcel[],
): { parcels: JobParcel[]; issues: Issue[] } {
  const issues: Issue[] = []
  const resolved = parcels.map((parcel, index): JobParcel => {
    const field = `parcels[${index}]`
    issues.push(...measureIssues(parcel, field))
    return {
      reference: parcel.reference,
      type: parcel.type ?? 'carton',
      lengthCm: parcel.lengthCm,
      widthCm: parcel.widthCm,
      heightCm: parcel.heightCm,
      weightKg: parcel.weightKg,
      quantity: parcel.quantity,
      dangerousGoods: resolveGoods(account, parcel, field, issues),
    }
  })
  return { parcels: resolved, issues }
}

function resolveGoods(
  account: Account,
  { dangerousGoods }: RequestParcel,
  field: string,
  issues: Issue[],
): JobParcel['dangerousGoods'] {
  if (!dangerousGoods) return null
  const resolved = resolveDangerousGoods(account.dangerousGoods, dangerousGoods, `${field}.dangerous_goods`)
  if ('goods' in resolved) return resolved.goods
  issues.push(...resolved.issues)
  return null
}

function measureIssues({ lengthCm, widthCm, heightCm, weightKg }: RequestParcel, field: string): Issue[] {
  const measures = [
    ['length_cm', lengthCm, LONGEST_CM],
    ['width_cm', widthCm, LONGEST_CM],
    ['height_cm', heightCm, LONGEST_CM],
    ['weight_kg', weightKg, HEAVIEST_KG],
  ] as const
  return measures.flatMap(([name, measure, max]): Issue[] => {
    if (measure <= max) return []
    const message = `${measure} is too much for a parcel; the maximum is ${max}.`
    return [{ field: `${field}.${name}`, issue: 'out_of_range', message }]
  })
}

/** Longer and heavier than a road train's load; within these limits every weight and price is an exact number. */
const LONGEST_CM = 5_000
const HEAVIEST_KG = 100_000
