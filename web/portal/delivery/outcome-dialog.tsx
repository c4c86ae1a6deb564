import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { ManualOutcome } from '../../../src/domain/delivery/outcome-by-hand.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { areWritesDisabled } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { useChange } from './use-change.ts'

const TEXTS: Readonly<Record<ManualOutcome, { title: string; says: string; send: string }>> = {
  delivered: {
    title: 'Was it delivered?',
    says: 'We’ll tell the customer that their order was delivered.',
    send: 'It was delivered',
  },
  returned: {
    title: 'Are the parcels back at the store?',
    says: 'We’ll mark the delivery as returned.',
    send: 'They’re back at the store',
  },
  taken_over: {
    title: 'Do you have the parcels?',
    says: 'We’ll put the delivery on hold so that you can give it to another courier.',
    send: 'Take over',
  },
}

type OutcomeDialogProps = { delivery: Delivery; outcome: ManualOutcome; onClose(): void }

function afterwardsOf({ use_staff_couriers, carrier_provider }: Delivery): string {
  if (use_staff_couriers)
    return 'Once you record the outcome, the current courier will no longer have this job.'
  const carrier = carrier_provider ?? 'the carrier'
  return `Ring ${carrier} first. Once you record their answer, we’ll stop asking them about this delivery.`
}

/** A clerk records the outcome of a delivery that its courier or carrier does not report. */
export function OutcomeDialog({ delivery, outcome, onClose }: OutcomeDialogProps) {
  const { tenantId } = usePortal()
  const reasonId = useId()
  const [reason, setReason] = useState('')
  const { title, says, send } = TEXTS[outcome]
  const { mutate, error, isPending } = useChange(
    delivery.id,
    () =>
      api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/record-outcome', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
        body: { outcome, reason: reason.trim() },
      }),
    onClose,
  )
  const sending = sentByButton(() => !areWritesDisabled() && mutate(undefined))
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="dim">
        {says} {afterwardsOf(delivery)}
      </p>
      <form {...sending} className="fields">
        <TextInput
          label="Reason"
          description={
            delivery.use_staff_couriers
              ? 'For example: Sam’s phone is flat'
              : 'For example: the driver rang us'
          }
          required
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FieldError error={error} />
        <WritesDisabledReason id={reasonId} />
        <div className="row-of-buttons">
          <WriteButton describedBy={reasonId} type="submit" className="b ink" busy={isPending}>
            {send}
          </WriteButton>
          <button type="button" className="b quiet" onClick={onClose}>
            Not now
          </button>
        </div>
      </form>
    </Dialog>
  )
}
