import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { problemOf } from '../../shared/problem.ts'
import { usePortal } from '../portal.ts'
import { useChange } from './use-change.ts'

/** Says what cancelling does before it does it. */
export function CancelDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { tenantId } = usePortal()
  const [reason, setReason] = useState('')
  const path = { tenant_id: tenantId, delivery_id_or_reference: delivery.id }
  const { mutate, error, isPending } = useChange(
    delivery.id,
    () =>
      answerOf(
        api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/request-cancel', {
          params: { path },
          body: reason.trim() ? { reason: reason.trim() } : {},
        }),
      ),
    onClose,
  )
  const holder = delivery.consignment_number ? delivery.carrier_provider : null
  return (
    <Dialog title={`Cancel ${delivery.reference}?`} onClose={onClose}>
      <p className="dim">
        {holder
          ? `${holder} is asked to let it go; it is cancelled once they say yes. Its label is void then.`
          : 'Nobody has it yet: it is cancelled at once. It cannot be taken back.'}
      </p>
      <TextInput
        label="Reason"
        description="For the record; may be left empty"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {error && (
        <p role="alert" className="field-error">
          {problemOf(error).message}
        </p>
      )}
      <div className="row-of-buttons">
        <button type="button" className="b no" disabled={isPending} onClick={() => mutate(undefined)}>
          {isPending && holder ? `Asking ${holder}` : 'Cancel it'}
        </button>
        <button type="button" className="b" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
