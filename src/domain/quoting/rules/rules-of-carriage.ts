import type { Limits } from '../../account/account.ts'
import { findZone } from '../../account/rate-card.ts'
import { ADDRESS_KIND_NAMES } from '../../geo/address-kind.ts'
import { chargeableUg, UG_PER_KG } from '../chargeable-weight.ts'
import type { Rule } from '../facts.ts'
import { findWeightStep } from '../price.ts'

const MODES = { store_to_door: 'delivery to the door', customer_pickup: 'customer pickup' } as const

/** Whether the request allows the service, and whether the service goes there. */
export const carriageRules: readonly Rule[] = [
  {
    name: 'delivery_type',
    refuses: (service, job) => job.deliveryType !== null && job.deliveryType !== service.type,
    explain: (service, job) => `${service.service} is ${service.type}; ${job.deliveryType} was requested.`,
  },
  {
    name: 'provider_options',
    refuses: (service, { pin }) =>
      pin !== null &&
      ((pin.provider !== null && pin.provider !== service.provider) ||
        (pin.service !== null && pin.service !== service.service)),
    explain: (_service, { pin }) =>
      `The request asks for ${[pin?.provider, pin?.service].filter((name) => name !== null).join(' ')} only.`,
  },
  {
    name: 'store',
    refuses: ({ limits }, { store }) => limits.stores !== null && !limits.stores.has(store.reference),
    explain: ({ service }, { store }) => `${service} does not collect from ${store.reference}.`,
  },
  {
    name: 'mode',
    refuses: ({ limits }, job) => !limits.modes.has(job.mode),
    explain: (service, job) => `${service.service} does not offer ${MODES[job.mode]}.`,
  },
  {
    name: 'service_area',
    refuses: ({ limits }, { destination }, { km }) =>
      (limits.radiusKm !== null && km > limits.radiusKm) ||
      (limits.states !== null && !limits.states.has(destination.state)),
    explain: ({ service, limits }, { destination }, { km }) =>
      limits.radiusKm !== null && km > limits.radiusKm
        ? `The address is ${km.toFixed(1)} km from the store; ${service} goes at most ${limits.radiusKm} km.`
        : `The address is in ${destination.state}; ${service} serves ${[...(limits.states ?? [])].join(', ')}.`,
  },
  {
    name: 'address_kind',
    refuses: ({ limits }, { mode, destination: { addressKind } }) =>
      !limits.addressKinds.has(addressKind) || (mode === 'customer_pickup' && addressKind !== 'street'),
    explain: ({ service, limits }, { mode, destination: { addressKind } }) => {
      const address = `The address is ${ADDRESS_KIND_NAMES[addressKind]}`
      return limits.addressKinds.has(addressKind) && mode === 'customer_pickup'
        ? `${address}; nobody can collect from there.`
        : `${address}; ${service} goes to ${kindsTaken(limits)} only.`
    },
  },
]

function kindsTaken({ addressKinds }: Limits): string {
  return [...addressKinds].map((kind) => ADDRESS_KIND_NAMES[kind]).join(' or ')
}

/** A service does not carry what its courier's price list leaves out. */
export const rateCardRules: readonly Rule[] = [
  {
    name: 'service_area',
    refuses: ({ rateCard }, { destination }) =>
      rateCard !== null && findZone(rateCard, destination.postCode) === null,
    explain: ({ service }, { destination }) =>
      `The price list of ${service} has no zone for postcode ${destination.postCode}.`,
  },
  {
    name: 'total_weight',
    refuses: ({ rateCard }, { destination, parcels }) => {
      const zone = rateCard && findZone(rateCard, destination.postCode)
      if (!rateCard || zone === null) return false
      return findWeightStep(rateCard, zone, chargeableUg(parcels, rateCard.cubicKgPerM3)) === null
    },
    explain: ({ service, rateCard }, { parcels }) =>
      `The parcels are charged as ${(chargeableUg(parcels, rateCard?.cubicKgPerM3 ?? null) / UG_PER_KG).toFixed(1)} kg; the price list of ${service} ends at a lower weight.`,
  },
]
