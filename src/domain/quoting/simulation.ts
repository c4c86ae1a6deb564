import type { Window } from '../values.ts'
import type { Option } from './decision.ts'

/** One delivery, decided under the settings in use and under others, both at the time when it was created. */
export type SimulatedDelivery = {
  deliveryId: string
  reference: string
  storeId: string
  /** The window that the customer was promised. */
  promised: Window | null
  before: Option | null
  after: Option | null
  /** Why no service can take it under the other settings, as sentences; null if one can. */
  reason: string | null
  /** If no service can take it: the carriers that might, but whose live prices are not known. */
  unknownCarriers: readonly string[]
}

export type SimulatedService = {
  provider: string
  carrier: string
  service: string
  deliveriesBefore: number
  deliveriesAfter: number
  costCentsBefore: number
  costCentsAfter: number
}

/** Many deliveries under the settings in use and under others. Costs are what carriers charge, incl. GST. */
export type Simulation = {
  /** Those that a carrier takes under both. Only these are in the costs. */
  compared: number
  costCentsBefore: number
  costCentsAfter: number
  /** By cost under the settings in use, the most expensive first. */
  services: SimulatedService[]
  /** With another carrier or service, in the order given. */
  changed: SimulatedDelivery[]
  /** With a carrier under the settings in use alone. */
  unavailable: SimulatedDelivery[]
  /** As for `unavailable`, but a carrier whose live prices are not known might take them. */
  unknown: SimulatedDelivery[]
}

export function summariseSimulation(deliveries: readonly SimulatedDelivery[]): Simulation {
  const services = new Map<string, SimulatedService>()
  const simulation: Simulation = {
    compared: 0,
    costCentsBefore: 0,
    costCentsAfter: 0,
    services: [],
    changed: [],
    unavailable: [],
    unknown: [],
  }
  for (const delivery of deliveries) {
    const { before, after } = delivery
    if (before && !after)
      simulation[delivery.unknownCarriers.length > 0 ? 'unknown' : 'unavailable'].push(delivery)
    if (!before || !after) continue
    simulation.compared += 1
    simulation.costCentsBefore += before.carrierCents
    simulation.costCentsAfter += after.carrierCents
    if (!isSameService(before, after)) simulation.changed.push(delivery)
    const [old, next] = [totalsOf(services, before), totalsOf(services, after)]
    old.deliveriesBefore += 1
    old.costCentsBefore += before.carrierCents
    next.deliveriesAfter += 1
    next.costCentsAfter += after.carrierCents
  }
  simulation.services = [...services.values()].sort(
    (a, b) => b.costCentsBefore - a.costCentsBefore || b.costCentsAfter - a.costCentsAfter,
  )
  return simulation
}

/** The deliveries whose promise the other settings would not have made. */
export function listBrokenPromises(deliveries: readonly SimulatedDelivery[]): SimulatedDelivery[] {
  return deliveries.filter(
    ({ before, after }) =>
      before &&
      (!after || before.window.fromMs !== after.window.fromMs || before.window.toMs !== after.window.toMs),
  )
}

function totalsOf(services: Map<string, SimulatedService>, { service }: Option): SimulatedService {
  const key = JSON.stringify([service.provider, service.carrierCode])
  const known = services.get(key)
  if (known) return known
  const fresh = {
    provider: service.provider,
    carrier: service.carrierName,
    service: service.service,
    deliveriesBefore: 0,
    deliveriesAfter: 0,
    costCentsBefore: 0,
    costCentsAfter: 0,
  }
  services.set(key, fresh)
  return fresh
}

function isSameService(a: Option, b: Option): boolean {
  return a.service.provider === b.service.provider && a.service.carrierCode === b.service.carrierCode
}
