import type { Delivery } from '../../shared/api.generated.ts'
import type { Handover } from './actions.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'

type HandoverDialogProps = { delivery: Delivery; by: Handover; onClose(): void }

/** Asks for the new carrier. */
export function HandoverDialog({ delivery, by, onClose }: HandoverDialogProps) {
  return by === 'assign' ? (
    <AssignDialog delivery={delivery} onClose={onClose} />
  ) : (
    <ReleaseDialog delivery={delivery} to="reassign" outcomeUnknown={false} onClose={onClose} />
  )
}
