import type { Account } from '../../account/account.ts'
import type { ProviderOptions } from '../../delivery/request.ts'
import type { Issue } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { DeliveryType } from '../../values.ts'

/** `provider_options` with the provider's key as the account writes it; requests may use any case. */
export function pinOf(account: Account, options: ProviderOptions | null): ProviderOptions | null {
  if (!options) return null
  return { provider: options.provider && providerKey(account, options.provider), service: options.service }
}

export function providerIssues(account: Account, options: ProviderOptions | null): Issue[] {
  if (!options) return []
  if (!account.ownCarriers) {
    const message = 'This account does not choose among own carriers; leave provider_options out.'
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
  return `Known are ${all.join(', ')}.${didYouMean(word, all)}`
}
