import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { importWithRetry } from './lazy-import.ts'

/** How long after the last attempt a missing part is loaded again; at once when the connection returns. */
const AGAIN_MS = 15_000

/**
 * A lazy part of a page, loaded when it is first shown. Until then its place is empty: a part must never break its
 * page. `name` is its name in its module, and unique among all parts.
 */
export function lazyPart<Props extends object, Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
): ComponentType<Props> {
  return function LatePart(props: Props) {
    const { data: Part } = useQuery({
      queryKey: ['part', name],
      queryFn: async (): Promise<ComponentType<Props>> => (await importWithRetry(load))[name],
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
    })
    return Part && <Part {...props} />
  }
}
