import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../shared/api.ts'
import { freshKey } from '../fresh-key.ts'
import { usePortal } from '../portal.ts'
import { type Taken, takenIn } from './taken.ts'
import { manifestItself, useManifestsStale } from './use-manifests.ts'

/** Deliveries by their references, for manifests that are submitted at once, or for drafts. */
type Wish = { references: readonly string[]; submit: boolean }
/** The manifests that were made, and what others had been faster with. */
export type Submitted = { made: readonly string[]; taken: readonly Taken[] }

/** Puts deliveries on manifests: all of them, or all that are left of them. `done` is what came of it, the latest first. */
export function useSubmit() {
  const { tenantId, store } = usePortal()
  const queries = useQueryClient()
  const stale = useManifestsStale()
  const [key, setKey] = useState(freshKey)
  const [done, setDone] = useState<readonly Submitted[]>([])

  const make = async ({ references, submit }: Wish, once: string): Promise<string[]> => {
    const body = {
      store_reference: store.reference,
      create_manifest_now: submit,
      generate_order_summary: true,
      delivery_references: [...references],
    }
    const params = { path: { tenant_id: tenantId }, header: { 'Idempotency-Key': once } }
    const { data } = await answerOf(api.POST('/{tenant_id}/store-manifests', { params, body }))
    for (const one of data) queries.setQueryData(manifestItself(tenantId, one.id).queryKey, one)
    return data.map(({ id }) => id)
  }

  const mutation = useMutation({
    mutationFn: async (purpose: Wish): Promise<Submitted> => {
      const once = `${key}-${purpose.submit}`
      try {
        return { made: await make(purpose, once), taken: [] }
      } catch (error) {
        const taken = takenIn(error)
        if (!taken) throw error
        const gone = new Set(taken.flatMap(({ references }) => references))
        const rest = { ...purpose, references: purpose.references.filter((one) => !gone.has(one)) }
        // Tried once: who is overtaken again within the second is told, and looks.
        return { made: rest.references.length > 0 ? await make(rest, `${once}-rest`) : [], taken }
      }
    },
    onSuccess: (now) => setDone((before) => [now, ...before]),
    onSettled: async () => {
      setKey(freshKey())
      await stale()
    },
  })
  return { ...mutation, done }
}

/** Every manifest that is told of it. */
export function namedIn({ made, taken }: Submitted): string[] {
  return [...made, ...taken.map(({ manifestId }) => manifestId)]
}
