import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import { isRejection, newIdempotencyKey } from '../idempotency-key.ts'
import { usePortal } from '../portal.ts'
import { type ManifestConflict, toManifestConflicts } from './manifest-conflicts.ts'
import { manifestItself, useManifestsStale } from './use-manifests.ts'

/** References of deliveries for manifests that are submitted at once, or for drafts. */
type Submission = { references: readonly string[]; submit: boolean }
/** The manifests that were created, and deliveries that other requests had already put on one. */
export type Submitted = { created: readonly string[]; conflicts: readonly ManifestConflict[] }

/**
 * Puts deliveries on manifests: all of them, or those that are still free. `done` is the results, the latest first.
 */
export function useSubmit() {
  const { tenantId, store } = usePortal()
  const queries = useQueryClient()
  const stale = useManifestsStale()
  // A submission whose outcome is unknown, and its key: the same submission again has the same key.
  const unanswered = useRef<{ asked: string; key: string } | null>(null)
  const [done, setDone] = useState<readonly Submitted[]>([])

  const make = async ({ references, submit }: Submission, once: string): Promise<string[]> => {
    const body = {
      store_reference: store.reference,
      create_manifest_now: submit,
      generate_order_summary: true,
      delivery_references: [...references],
    }
    const init = { params: { path: { tenant_id: tenantId } }, body, idempotencyKey: once }
    const { data } = await api.POST('/{tenant_id}/store-manifests', init)
    for (const one of data) queries.setQueryData(manifestItself(tenantId, one.id).queryKey, one)
    return data.map(({ id }) => id)
  }

  const mutation = useMutation({
    mutationFn: async (submission: Submission): Promise<Submitted> => {
      const asked = JSON.stringify(submission)
      if (unanswered.current?.asked !== asked) unanswered.current = { asked, key: newIdempotencyKey() }
      const { key } = unanswered.current
      try {
        return { created: await make(submission, key), conflicts: [] }
      } catch (error) {
        const conflicts = toManifestConflicts(error)
        if (!conflicts) throw error
        const leftOut = new Set(conflicts.flatMap(({ references }) => references))
        const rest = { ...submission, references: submission.references.filter((one) => !leftOut.has(one)) }
        // One retry: a clerk who is overtaken again within the second sees the message.
        return { created: rest.references.length > 0 ? await make(rest, `${key}-rest`) : [], conflicts }
      }
    },
    onSuccess: (now) => setDone((before) => [now, ...before]),
    onSettled: async (_, error) => {
      if (!error || isRejection(error)) unanswered.current = null
      await stale()
    },
  })
  return { ...mutation, done }
}

/** Every manifest that the response names. */
export function namedIn({ created, conflicts }: Submitted): string[] {
  return [...created, ...conflicts.map(({ manifestId }) => manifestId)]
}
