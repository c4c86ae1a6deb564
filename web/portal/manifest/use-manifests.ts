import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import type { Manifest } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

/** The news tells that a carrier has a manifest. That it said no, or nobody knows, is in no news. */
const ASK_EVERY_MS = 4_000

/** These manifests as they are by now; what cannot be read is left out. */
export function useManifests(ids: readonly string[]): readonly Manifest[] {
  const { tenantId } = usePortal()
  return useQueries({
    queries: ids.map((id) => manifestItself(tenantId, id)),
    combine: (all) => all.flatMap(({ data }) => data ?? []),
  })
}

/** One manifest by itself, as a query. */
export function manifestItself(tenantId: string, id: string) {
  const params = { path: { tenant_id: tenantId, manifest_id: id } }
  return queryOptions({
    queryKey: ['manifest', tenantId, id],
    queryFn: async () => (await answerOf(api.GET('/{tenant_id}/manifests/{manifest_id}', { params }))).data,
    refetchInterval: ({ state }) => state.data?.status === 'submitting' && ASK_EVERY_MS,
  })
}

/** Has every list read anew in which manifests, or what is on none, are seen. */
export function useManifestsStale() {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['manifests', 'to-manifest', 'day'].map((list) =>
        queries.invalidateQueries({ queryKey: [list, tenantId] }),
      ),
    )
}

/** Something done to one manifest: what is shown of it is asked for again, whatever came of it. */
export function useManifestChange<Input>(
  id: string,
  work: (input: Input) => Promise<unknown>,
  done?: () => void,
) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const stale = useManifestsStale()
  return useMutation({
    mutationFn: work,
    ...(done && { onSuccess: done }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: manifestItself(tenantId, id).queryKey })
      await stale()
    },
  })
}
