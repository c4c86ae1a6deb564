import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { latePart } from '../../shared/late-part.tsx'
import { isClosed } from '../connection.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { focusedRow } from '../rows/step.ts'
import { type Handover, handoverOpen, isInDoubt } from './actions.ts'
import { decisionOf } from './use-delivery.ts'

const HandoverDialog = latePart('HandoverDialog', () => import('./handover-dialog.tsx'))

/** `R` asks who else is to bring the delivery whose row has the focus, where that is open; what is asked stands in the list. */
export function useHandover(find: (id: string) => Delivery | undefined): ReactNode {
  const { tenantId, may } = usePortal()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<{ delivery: Delivery; by: Handover } | null>(null)
  const inDoubt = async (delivery: Delivery) =>
    delivery.status === 'on_hold' &&
    isInDoubt(delivery, await queries.fetchQuery(decisionOf(tenantId, delivery.id)))
  const ask = async () => {
    const delivery = find(focusedRow() ?? '')
    if (!delivery || isClosed() || !may('deliveries:write')) return
    // Where it cannot be learnt whether a carrier has it, nobody else is asked.
    const by = handoverOpen(delivery, await inDoubt(delivery).catch(() => true))
    if (by) setAsked({ delivery, by })
  }
  useKeys({ r: ask })
  return asked && <HandoverDialog {...asked} onClose={() => setAsked(null)} />
}
