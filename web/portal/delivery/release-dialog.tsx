import { Checkbox, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { DisabledButton } from '../../shared/disabled-button.tsx'
import { toProblem } from '../../shared/problem.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { Alternatives } from './alternatives.tsx'
import { useAlternatives } from './use-alternatives.ts'
import { useChange } from './use-change.ts'

type Release = 'cancel' | 'reassign'

const TEXTS = {
  cancel: {
    title: (reference: string) => `Cancel ${reference}?`,
    held: 'We’ll cancel the delivery once they confirm. Its label will then be void.',
    confirmLabel: 'Cancel it',
  },
  reassign: {
    title: (reference: string) => `Give ${reference} to another carrier?`,
    held: 'Once they confirm, we’ll book the first of these services that accepts the delivery. The old label will then be void, so print the new one.',
    confirmLabel: 'Change carrier',
  },
} as const

const NOBODYS = 'No carrier has this delivery, so we’ll cancel it straight away. You can’t undo this.'
const OWN =
  'This delivery is a job for your own couriers, so we’ll cancel it straight away. If a courier has accepted it, we’ll tell them by SMS. You can’t undo this.'
const IN_DOUBT =
  'We don’t know yet whether a carrier has this delivery. Once we know, we’ll cancel the delivery, and the carrier’s booking if there is one. You can’t undo this.'

/** `outcomeUnknown`: it is unknown whether a carrier has it. */
type ReleaseProps = { delivery: Delivery; to: Release; outcomeUnknown: boolean; onClose(): void }

/** Before a cancellation or reassignment: says what it does at the carrier. */
export function ReleaseDialog({ delivery, to, outcomeUnknown, onClose }: ReleaseProps) {
  const { tenantId } = usePortal()
  const reasonId = useId()
  const nobody = useId()
  const [reason, setReason] = useState('')
  const [confirmed, setConfirmed] = useState(false)
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } }
  const body = {
    ...(reason.trim() && { reason: reason.trim() }),
    ...(confirmed && { carrier_release_confirmed: true }),
  }
  const { mutate, error, isPending } = useChange(
    delivery.id,
    () =>
      to === 'cancel'
        ? api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/request-cancel', { params, body })
        : api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/reassign', { params, body }),
    onClose,
  )
  const elsewhere = useAlternatives(delivery.id, to === 'reassign')
  const holder = delivery.consignment_number ? delivery.carrier_provider : null
  const problem = error && toProblem(error)
  const { title, held, confirmLabel } = TEXTS[to]
  return (
    <Dialog title={title(delivery.reference)} onClose={onClose}>
      {elsewhere.nobody ? (
        <p id={nobody}>
          No other carrier can take this delivery now, so {holder ?? 'the current carrier'} will keep it.
        </p>
      ) : (
        <p className="dim">
          {holder
            ? `We’ll ask ${holder} to cancel their booking. ${held}`
            : outcomeUnknown
              ? IN_DOUBT
              : delivery.use_staff_couriers
                ? OWN
                : NOBODYS}
        </p>
      )}
      {to === 'reassign' && <Alternatives delivery={delivery} asked={elsewhere} />}
      <TextInput
        label="Reason"
        description="Optional, for your records"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {problem && (
        <p role="alert" className="field-error">
          {problem.message}
        </p>
      )}
      {holder && (problem?.code === 'cancel_refused' || problem?.code === 'cancellation_pending') && (
        <Checkbox
          label={`${holder} has told me that they don’t have this delivery`}
          checked={confirmed}
          onChange={(event) => setConfirmed(event.currentTarget.checked)}
        />
      )}
      <WritesDisabledReason id={reasonId} />
      <div className="row-of-buttons">
        {elsewhere.nobody ? (
          <DisabledButton describedBy={nobody}>{confirmLabel}</DisabledButton>
        ) : (
          <WriteButton
            describedBy={reasonId}
            className="b no"
            busy={isPending}
            onClick={() => mutate(undefined)}
          >
            {isPending && holder ? `Asking ${holder}` : confirmLabel}
          </WriteButton>
        )}
        <button type="button" className="b" onClick={onClose}>
          {problem?.code === 'cancellation_pending' ? 'Close' : 'Keep it'}
        </button>
      </div>
    </Dialog>
  )
}
