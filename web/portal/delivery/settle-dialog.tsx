import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { areWritesDisabled } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { useChange } from './use-change.ts'

type Finding = { booked: true; consignment_number: string } | { booked: false }

/** A carrier never responded: a clerk has rung it and records its answer. */
export function SettleDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { tenantId } = usePortal()
  const reasonId = useId()
  const [consignment, setConsignment] = useState('')
  const carrier = delivery.carrier_provider ?? 'the carrier'
  const isCancelling = delivery.pending_cancellation !== undefined
  const { mutate, error, isPending } = useChange(
    delivery.id,
    (body: Finding) =>
      api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/settle-booking', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
        body,
      }),
    onClose,
  )
  const sending = sentByButton(
    () => !areWritesDisabled() && mutate({ booked: true, consignment_number: consignment.trim() }),
  )
  return (
    <Dialog title={`Does ${carrier} have ${delivery.reference}?`} onClose={onClose}>
      <p className="dim">{delivery.status_reason}</p>
      <form {...sending} className="fields">
        <TextInput
          label="Carrier’s consignment number"
          required
          maxLength={40}
          pattern="[A-Za-z0-9\-]+"
          value={consignment}
          onChange={(event) => setConsignment(event.currentTarget.value)}
        />
        <FieldError error={error} />
        <WritesDisabledReason id={reasonId} />
        <div className="row-of-buttons">
          <WriteButton describedBy={reasonId} type="submit" className="b ink" busy={isPending}>
            {isCancelling ? 'Yes, ask them to cancel' : 'Yes, they have it'}
          </WriteButton>
          <WriteButton
            describedBy={reasonId}
            className="b"
            busy={isPending}
            onClick={() => mutate({ booked: false })}
          >
            {isCancelling ? 'No, cancel it' : 'No, book again'}
          </WriteButton>
          <button type="button" className="b quiet" onClick={onClose}>
            Later
          </button>
        </div>
      </form>
    </Dialog>
  )
}
