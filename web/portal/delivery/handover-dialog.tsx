import type { Delivery } from '../../shared/api.generated.ts'
import type { Handover } from './actions.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { LetGoDialog } from './let-go-dialog.tsx'

type HandoverDialogProps = { delivery: Delivery; by: Handover; onClose(): void }

/** Asks who else is to bring it. */
export function HandoverDialog({ delivery, by, onClose }: HandoverDialogProps) {
  return by === 'assign' ? (
    <AssignDialog delivery={delivery} onClose={onClose} />
  ) : (
    <LetGoDialog delivery={delivery} to="reassign" inDoubt={false} onClose={onClose} />
  )
}
