import type { Endpoint } from '../contract/endpoint.ts'

/** The served URLs, for requests that match no endpoint. */
export type AddressMap = {
  /** The methods that the path supports; empty if the path is unknown. */
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
