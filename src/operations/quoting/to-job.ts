import type { Account, Service } from '../../domain/account/account.ts'
import type {
  ChosenOption,
  Delivery,
  DeliveryContent,
  ManifestStatus,
} from '../../domain/delivery/delivery.ts'
import { classifyAddress } from '../../domain/geo/address-kind.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import { type Job, type JobParcel, NO_CARRIERS } from '../../domain/quoting/job.ts'
import type { Hold } from '../../domain/quoting/quote-token.ts'
import { jobParcels } from '../../domain/quoting/resolve/resolve-quote.ts'
import { PRODUCT_TYPES } from '../../domain/values.ts'

/** The job of a stored delivery: the values that were resolved at its creation, for a new decision. */
export function toJob(account: Account, delivery: Delivery): Job {
  const { content } = delivery
  const store = account.storeById.get(delivery.storeId)
  if (!store) throw new Error(`Account version ${account.version} lacks store ${delivery.storeId}.`)
  return {
    store,
    mode: content.deliveryMode,
    // Older deliveries have no stored kind of address: it is derived from the address.
    destination: {
      ...content.destination,
      addressKind: content.destination.addressKind ?? classifyAddress(content.address),
    },
    parcels: toJobParcels(account, content),
    readyForPickupAtMs: delivery.readyForPickupAtMs,
    ignoreBufferTime: content.ignoreBufferTime,
    carrierReadyMs: NO_CARRIERS,
    carriersOff: NO_CARRIERS,
    rateResponses: NO_CARRIERS,
    declaredValueCents: content.priceCentsTotalValue,
    productTypes: new Set(PRODUCT_TYPES.filter((type) => content.productTypes[type])),
    deliveryType: content.requestedType,
    pin: content.providerOptions,
  }
}

/** Stored parcels with their dangerous goods, which were resolved under this version when the delivery was created. */
export function toJobParcels(account: Account, content: DeliveryContent): JobParcel[] {
  const { parcels, issues } = jobParcels(account, content.parcels)
  const [issue] = issues
  if (issue) throw new Error(`Stored parcels do not fit account version ${account.version}: ${issue.message}`)
  return parcels
}

/** The fields of its option that a delivery stores. `held`: the part of the option that a quote token promised. */
export function toChosenOption(option: Option, held?: Hold['kind']): ChosenOption {
  return {
    provider: option.service.provider,
    carrierName: option.service.carrierName,
    service: option.service.service,
    carrierCode: option.service.carrierCode,
    manifestGroup: option.service.manifestGroup,
    priceCents: option.priceCents,
    lines: option.lines,
    numDays: option.numDays,
    ...(option.readyMs === null ? {} : { readyMs: option.readyMs }),
    pickupMs: option.pickupMs,
    quote: option.quote,
    ...(held === undefined ? {} : { held }),
  }
}

export function getManifestStatus(service: Service): Extract<ManifestStatus, 'pending' | 'not_required'> {
  return service.manifestGroup === null ? 'not_required' : 'pending'
}
