import type { Endpoint } from '../contract/endpoint.ts'

/** What is served where, for the requests that no endpoint takes. */
export type AddressMap = {
  /** The methods that the path takes; none when it is no address of ours. */
  allowedAt(path: string): string[]
  /** Whether a first path segment can never be an account. */
  isOutsideAccounts(segment: string): boolean
}

export function addressMap(endpoints: readonly Pick<Endpoint, 'method' | 'url'>[]): AddressMap {
  const patterns = endpoints.map(({ method, url }) => ({ method, pattern: patternOf(url) }))
  const firsts = new Set(
    endpoints.map(({ url }) => url.split('/')[1] as string).filter((first) => !first.startsWith(':')),
  )
  return {
    allowedAt(path) {
      const methods = new Set<string>(
        patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      )
      if (methods.has('GET')) methods.add('HEAD')
      return [...methods].sort()
    },
    isOutsideAccounts: (segment) => firsts.has(segment),
  }
}

function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step === '*') return '.*'
    return step.startsWith(':') ? '[^/]+' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${steps.join('/')}$`)
}
