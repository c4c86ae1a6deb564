import { Checkbox, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { api } from '../../shared/api.ts'
import { toProblem } from '../../shared/problem.ts'
import { isoLocal } from '../../shared/times.ts'
import { areWritesDisabled } from '../connection.ts'
import { useCouriers } from '../couriers-of.ts'
import { isRejection, newIdempotencyKey } from '../idempotency-key.ts'
import { useKeys } from '../keys/use-keys.ts'
import { usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import './create.css'
import { DeliveryForm, LeaveField } from './delivery-form.tsx'
import { contentOf, type Draft, emptyDraft, hasInput, moveDraft, quoteOf } from './draft.ts'
import { quoteIdOf } from './held-quote.ts'
import { OptionsPanel } from './options-panel.tsx'
import { useOptions } from './use-options.ts'

const CARRIERS = ''

/** The form for a new delivery: options appear while the clerk types. */
export function Create() {
  const { tenantId, store } = usePortal()
  const nowMs = useMinute()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => emptyDraft(store.address.state, isoLocal(nowMs, store.time_zone)))
  const [origin, setOrigin] = useState(store)
  if (origin.id !== store.id) {
    setOrigin(store)
    setDraft((before) => moveDraft(before, origin, store))
  }
  const [key, setKey] = useState(newIdempotencyKey)
  const reasonId = useId()
  const couriers = useCouriers()
  const mine = couriers.data?.filter(({ store_id, active }) => store_id === store.id && active) ?? []
  useTitle(`New delivery, ${store.name}`)
  const change = (values: Partial<Draft>) => setDraft((before) => ({ ...before, ...values }))
  const courier = mine.find(({ phone }) => phone === draft.courierPhone)

  useBlocker({
    shouldBlockFn: () =>
      hasInput(draft) && !window.confirm('Leave without creating the delivery? You’ll lose what you typed.'),
    enableBeforeUnload: () => hasInput(draft),
  })

  const quote = quoteOf(draft, store.reference)
  const shown = useOptions(quote)
  const quoteId = courier ? null : quoteIdOf(shown.data, quote, draft)

  // A submit that got no response. The same press again repeats its body as it was: with a quote that arrived
  // meanwhile it would be another request under the same key, and be rejected.
  const unanswered = useRef<{ asked: string; quoteId: string | null } | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const asked = bodyOf(draft, store.reference, courier)
      const text = JSON.stringify(asked)
      if (unanswered.current?.asked !== text) unanswered.current = { asked: text, quoteId }
      const held = unanswered.current.quoteId
      const body = { ...asked, ...(held !== null && { quote_id: held }) }
      const params = { path: { tenant_id: tenantId } }
      return (await api.POST('/{tenant_id}/deliveries', { params, body, idempotencyKey: key })).data
    },
    onError: async (error) => {
      const { code, body } = toProblem(error)
      if (isRejection(error)) {
        setKey(newIdempotencyKey())
        unanswered.current = null
      }
      if (code !== 'option_changed') return
      if (typeof body.delivery_id === 'string') await readDay()
      else await shown.refetch()
    },
    onSuccess: () => readDay(),
  })
  const readDay = () => queries.invalidateQueries({ queryKey: ['day', tenantId, store.reference] })
  const open = (deliveryId: string) =>
    navigate({ to: '/deliveries/$deliveryId', params: { deliveryId }, ignoreBlocker: true })
  const submit = () => {
    if (isPending || areWritesDisabled()) return
    // React Query calls these only while the page is still shown: the person may have gone to another page.
    mutate(undefined, {
      onSuccess: ({ id }) => open(id),
      onError: (error) => {
        // Its carrier refused it after it was created: it waits on its own page for another choice.
        const { code, body } = toProblem(error)
        if (code === 'option_changed' && typeof body.delivery_id === 'string') void open(body.delivery_id)
      },
    })
  }
  useKeys({ 'mod+enter': submit })
  return (
    <>
      <div className="head">
        <h1>New delivery</h1>
        <span className="dim">from {store.name}</span>
      </div>
      <div className="create">
        <DeliveryForm
          {...{ store, draft, change, error, submit }}
          otherwise="The delivery hasn’t been created."
        >
          <LeaveField draft={draft} change={change} />
          {mine.length > 0 && (
            <Select
              label="Delivered by"
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
              label="Book now (otherwise we’ll book shortly before the order is ready)"
              checked={draft.bookNow}
              onChange={(event) => change({ bookNow: event.currentTarget.checked })}
            />
          )}
          <WritesDisabledReason id={reasonId} />
          <WriteButton describedBy={reasonId} type="submit" className="b next" busy={isPending}>
            {draft.bookNow && !courier ? 'Create and book' : 'Create delivery'} <kbd>Ctrl Enter</kbd>
          </WriteButton>
        </DeliveryForm>
        <OptionsPanel
          quote={quote}
          zone={store.time_zone}
          choice={draft}
          choose={change}
          canNameService
          nowMs={nowMs}
        />
      </div>
    </>
  )
}

function bodyOf(draft: Draft, storeReference: string, courier?: { phone: string; driver_name: string }) {
  return {
    store_reference: storeReference,
    ...contentOf(draft),
    authority_to_leave: draft.leave,
    book_delivery_now: draft.bookNow,
    ...(courier
      ? {
          use_staff_couriers: true,
          staff_courier: { phone: courier.phone, driver_name: courier.driver_name },
        }
      : draft.service && { provider_options: draft.service }),
  }
}
