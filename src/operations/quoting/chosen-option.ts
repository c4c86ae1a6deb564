import type { Service } from '../../domain/account/account.ts'
import type { ChosenOption, ManifestStatus } from '../../domain/delivery/delivery.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import type { Hold } from '../../domain/quoting/hold.ts'

/** What a delivery keeps of the option it stands on. `held`: what of it was promised by a quote token. */
export function chosenOf(option: Option, held?: Hold['kind']): ChosenOption {
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

export function manifestStatusOf(service: Service): Extract<ManifestStatus, 'pending' | 'not_required'> {
  return service.manifestGroup === null ? 'not_required' : 'pending'
}
