import { type ReactNode, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { lazyPart } from '../../shared/lazy-part.tsx'
import { areWritesDisabled } from '../connection.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { focusedRow } from '../rows/step.ts'
import { type Handover, handoverOpen } from './actions.ts'

const HandoverDialog = lazyPart('HandoverDialog', () => import('./handover-dialog.tsx'))

/**
 * `R` opens the choice of another carrier for the focused row, if the delivery allows it; the dialog is in the list.
 */
export function useHandover(find: (id: string) => Delivery | undefined): ReactNode {
  const { may, nowMs } = usePortal()
  const [asked, setAsked] = useState<{ delivery: Delivery; by: Handover } | null>(null)
  const ask = () => {
    const delivery = find(focusedRow() ?? '')
    if (!delivery || areWritesDisabled() || !may('deliveries:write')) return
    const by = handoverOpen(delivery, nowMs())
    if (by) setAsked({ delivery, by })
  }
  useKeys({ r: ask })
  return asked && <HandoverDialog {...asked} onClose={() => setAsked(null)} />
}
