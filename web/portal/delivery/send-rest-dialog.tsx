import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { areWritesDisabled } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { formatLeftBehind } from '../format-parcels.ts'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { useChange } from './use-change.ts'

/** Parcels that the courier left at the store become a new delivery, which then opens. */
export function SendRestDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { tenantId } = usePortal()
  const navigate = useNavigate()
  const reasonId = useId()
  const { mutate, error, isPending } = useChange(
    delivery.id,
    async () => {
      const { data } = await api.POST('/{tenant_id}/deliveries/{delivery_id_or_reference}/send-left-behind', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
      })
      await navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: data.id } })
    },
    onClose,
  )
  const { first_name, last_name } = delivery.customer
  return (
    <Dialog title="Send the rest?" onClose={onClose}>
      <p className="dim">
        We’ll send the rest ({formatLeftBehind(delivery)}) to {first_name} {last_name} as a new delivery. The
        parcels that the courier took will stay on this delivery. We’ll tell the customer when the new
        delivery is booked.
      </p>
      <form {...sentByButton(() => !areWritesDisabled() && mutate(undefined))} className="fields">
        <FieldError error={error} />
        <WritesDisabledReason id={reasonId} />
        <div className="row-of-buttons">
          <WriteButton describedBy={reasonId} type="submit" className="b ink" busy={isPending}>
            Send the rest
          </WriteButton>
          <button type="button" className="b quiet" onClick={onClose}>
            Not now
          </button>
        </div>
      </form>
    </Dialog>
  )
}
