import { useId } from 'react'
import type { Delivery, StaffCourierProfile } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { FieldError } from '../field-error.tsx'
import { storeOf, usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { LastSeen, useOwnCouriers } from './own-couriers.tsx'
import { useChange } from './use-change.ts'

/** The store's own couriers, with when they were last seen; one press offers them the job. */
export function AssignDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const portal = usePortal()
  const { tenantId } = portal
  const store = storeOf(portal, delivery.store_id)
  const reasonId = useId()
  const couriers = useOwnCouriers(delivery.store_id)
  const here = couriers.data
  const { mutate, error, isPending } = useChange(
    delivery.id,
    ({ phone, driver_name, driver_id }: StaffCourierProfile) =>
      api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/assign', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
        body: { staff_courier: { phone, driver_name, ...(driver_id !== null && { driver_id }) } },
      }),
    onClose,
  )
  return (
    <Dialog title={`Who will take ${delivery.reference}?`} onClose={onClose}>
      <p className="dim">
        We’ll ask the courier by SMS. If they refuse or don’t answer in time, we’ll put the delivery on hold.
      </p>
      {couriers.error && !here && <ProblemView error={couriers.error} retry={couriers.refetch} />}
      {!here && !couriers.error && <Loading />}
      {here?.length === 0 && <p>{store.name} has no couriers of its own yet. Add one under Couriers.</p>}
      <ul className="choices">
        {here?.map((courier) => (
          <li key={courier.id}>
            <WriteButton
              describedBy={reasonId}
              className="b"
              busy={isPending}
              onClick={() => mutate(courier)}
            >
              {courier.driver_name} <LastSeen courier={courier} zone={store.time_zone} />
            </WriteButton>
          </li>
        ))}
      </ul>
      <FieldError error={error} />
      <WritesDisabledReason id={reasonId} />
      <div className="row-of-buttons">
        <button type="button" className="b" onClick={onClose}>
          Not now
        </button>
      </div>
    </Dialog>
  )
}
