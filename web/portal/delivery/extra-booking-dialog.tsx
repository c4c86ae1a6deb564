import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog, WITHIN_DIALOG } from '../../shared/dialog.tsx'
import { Loading } from '../../shared/loading.tsx'
import { areWritesDisabled } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { useChange } from './use-change.ts'

const ONE = '/{tenant_id}/deliveries/{delivery_id_or_reference}'

/** A clerk has cancelled an extra booking with its carrier: which booking, and who at the carrier confirmed it. */
export function ExtraBookingDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { tenantId } = usePortal()
  const reasonId = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const [confirmedBy, setConfirmedBy] = useState('')
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } }
  const extra = useQuery({
    queryKey: ['delivery', tenantId, delivery.id, 'extra-bookings'],
    queryFn: async () => (await api.GET(`${ONE}/extra-bookings`, { params })).data,
  })
  const bookings = extra.data ?? []
  const one = bookings.find(({ consignment_number }) => consignment_number === chosen) ?? bookings[0]
  const { mutate, error, isPending } = useChange(
    delivery.id,
    (consignment_number: string) =>
      api.PATCH(`${ONE}/settle-extra-booking`, {
        params,
        body: { consignment_number, confirmed_by: confirmedBy.trim() },
      }),
    onClose,
  )
  const sending = sentByButton(() => !areWritesDisabled() && one && mutate(one.consignment_number))
  return (
    <Dialog title="Is the extra booking cancelled?" onClose={onClose}>
      {extra.data === undefined && !extra.error && <Loading lines={[80, 60]} />}
      {extra.data && !one && <p className="dim">There’s no longer an extra booking for this order.</p>}
      {one && (
        <p className="dim">
          Ring {one.carrier_name} first. Once they confirm that consignment {one.consignment_number} is
          cancelled, record their answer here, and we’ll stop asking them to cancel it.{' '}
          {bookings.length > 1
            ? 'The order’s other bookings stay as they are.'
            : 'The order’s other booking stays as it is.'}
        </p>
      )}
      <form {...sending} className="fields">
        {bookings.length > 1 && one && (
          <Select
            label="Extra booking"
            data={bookings.map(({ carrier_name, consignment_number: value }) => ({
              value,
              label: `${carrier_name}, ${value}`,
            }))}
            value={one.consignment_number}
            onChange={setChosen}
            // Outside the dialog the list would be under it.
            comboboxProps={WITHIN_DIALOG}
          />
        )}
        {one && (
          <TextInput
            label="Who confirmed the cancellation?"
            description={`For example: Priya at ${one.carrier_name}`}
            required
            maxLength={100}
            value={confirmedBy}
            onChange={(event) => setConfirmedBy(event.currentTarget.value)}
          />
        )}
        <FieldError error={error ?? extra.error} />
        <WritesDisabledReason id={reasonId} />
        <div className="row-of-buttons">
          {one && (
            <WriteButton describedBy={reasonId} type="submit" className="b ink" busy={isPending}>
              {one.carrier_name} has cancelled it
            </WriteButton>
          )}
          <button type="button" className="b quiet" onClick={onClose}>
            {extra.data && !one ? 'Close' : 'Not now'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
