import { Checkbox, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../shared/api.ts'
import { isoLocal } from '../../shared/times.ts'
import { useCouriers } from '../couriers-of.ts'
import { freshKey } from '../fresh-key.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import './create.css'
import { DeliveryForm, LeaveField } from './delivery-form.tsx'
import { contentOf, type Draft, emptyDraft, quoteOf } from './draft.ts'
import { OptionsPanel } from './options-panel.tsx'

const CARRIERS = ''

/** A delivery by hand: what can carry it fills in as one types. */
export function Create() {
  const { tenantId, store } = usePortal()
  const nowMs = useMinute()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => emptyDraft(store.address.state, isoLocal(nowMs, store.time_zone)))
  const [key] = useState(freshKey)
  const couriers = useCouriers()
  const mine = couriers.data?.filter(({ store_id, active }) => store_id === store.id && active) ?? []
  useTitle(`New delivery, ${store.name}`)
  const change = (values: Partial<Draft>) => setDraft((before) => ({ ...before, ...values }))
  const courier = mine.find(({ phone }) => phone === draft.courierPhone)

  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = {
        store_reference: store.reference,
        ...contentOf(draft),
        authority_to_leave: draft.leave,
        book_delivery_now: draft.bookNow,
        ...(courier && {
          use_staff_couriers: true,
          staff_courier: { phone: courier.phone, driver_name: courier.driver_name },
        }),
      }
      const params = { path: { tenant_id: tenantId }, header: { 'Idempotency-Key': key } }
      return (await answerOf(api.POST('/{tenant_id}/deliveries', { params, body }))).data
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['day', tenantId, store.reference] })
      await navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: id } })
    },
  })
  const submit = () => !isPending && mutate()
  useKeys({ 'mod+enter': submit })
  return (
    <>
      <div className="head">
        <h1>New delivery</h1>
        <span className="dim">from {store.name}</span>
      </div>
      <div className="create">
        <DeliveryForm draft={draft} change={change} error={error} submit={submit}>
          <LeaveField draft={draft} change={change} />
          {mine.length > 0 && (
            <Select
              label="Who brings it"
              value={draft.courierPhone ?? CARRIERS}
              data={[
                { value: CARRIERS, label: 'A carrier' },
                ...mine.map(({ phone, driver_name }) => ({ value: phone, label: driver_name })),
              ]}
              onChange={(phone) => change({ courierPhone: phone || null })}
            />
          )}
          {!courier && (
            <Checkbox
              label="Book it now, not an hour before it is ready"
              checked={draft.bookNow}
              onChange={(event) => change({ bookNow: event.currentTarget.checked })}
            />
          )}
          <button type="submit" className="b next" disabled={isPending}>
            {draft.bookNow && !courier ? 'Make and book it' : 'Make it'} <kbd>Ctrl Enter</kbd>
          </button>
        </DeliveryForm>
        <OptionsPanel
          quote={quoteOf(draft, store.reference)}
          chosen={draft.deliveryType}
          choose={(deliveryType) => change({ deliveryType })}
          nowMs={nowMs}
        />
      </div>
    </>
  )
}
