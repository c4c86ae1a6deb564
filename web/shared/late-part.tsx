import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { imported } from './imported.ts'

/** How long after the last try what did not come is asked for anew; at once where the connection comes back. */
const AGAIN_MS = 15_000

/**
 * A part of a page that is loaded when it is first shown. Until it comes nothing stands in its place: a part must
 * never take its page with it. `name` is its module's for it, and its own among all parts.
 */
export function latePart<Props extends object, Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
): ComponentType<Props> {
  return function LatePart(props: Props) {
    const { data: Part } = useQuery({
      queryKey: ['part', name],
      queryFn: async (): Promise<ComponentType<Props>> => (await imported(load))[name],
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => (state.data ? false : AGAIN_MS),
    })
    return Part && <Part {...props} />
  }
}
