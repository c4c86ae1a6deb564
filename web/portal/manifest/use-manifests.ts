import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import type { Manifest } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

/** The feed has an event when a carrier confirms a manifest, but none when it refuses or its outcome is unknown. */
const ASK_EVERY_MS = 4_000

/** The current state of these manifests; those that cannot be read are left out. */
export function useManifests(ids: readonly string[]): readonly Manifest[] {
  const { tenantId } = usePortal()
  return useQueries({
    queries: ids.map((id) => manifestItself(tenantId, id)),
    combine: (all) => all.flatMap(({ data }) => data ?? []),
  })
}

/** One manifest, as a query. */
export function manifestItself(tenantId: string, id: string) {
  const params = { path: { tenant_id: tenantId, manifest_id: id } }
  return queryOptions({
    queryKey: ['manifest', tenantId, id],
    queryFn: async () => (await api.GET('/{tenant_id}/manifests/{manifest_id}', { params })).data,
    refetchInterval: ({ state }) => state.data?.status === 'submitting' && ASK_EVERY_MS,
  })
}

/** Loads every list again that shows manifests or deliveries without one. */
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

/** A change of one manifest: its queries are loaded again, whatever the result. */
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
    onSettled: async (_, error) => {
      const itself = queries.invalidateQueries({ queryKey: manifestItself(tenantId, id).queryKey })
      const rest = stale()
      // An error shows at once: without a connection, the queries could keep it waiting.
      if (!error) await Promise.all([itself, rest])
    },
  })
}
