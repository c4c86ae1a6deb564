import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { areWritesDisabled } from '../connection.ts'
import { actionsOf } from '../delivery/actions.ts'
import '../delivery/delivery.css'
import { useDelivery } from '../delivery/use-delivery.ts'
import { formatWhen, isWindowKnown } from '../format-when.ts'
import { useKeys } from '../keys/use-keys.ts'
import { storeOf, usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'
import { useTitle } from '../use-title.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { amendmentOf } from './amendment.ts'
import './create.css'
import { DeliveryForm } from './delivery-form.tsx'
import { type Draft, draftOf, quoteOf } from './draft.ts'
import { OptionsPanel } from './options-panel.tsx'

/** The same form with the current values; the new window and price are shown before the change. */
export function Amend() {
  const { deliveryId } = useParams({ from: '/inside/deliveries/$deliveryId/amend' })
  const portal = usePortal()
  const { delivery } = useDelivery(deliveryId)
  const one = delivery.data
  useTitle(one ? `Amend ${one.reference}` : 'Amend')
  if (delivery.error && !one) return <ProblemView error={delivery.error} retry={delivery.refetch} />
  if (!one) return <Loading lines={[24, 60, 90]} />
  const amend = actionsOf(one, portal.nowMs()).find(({ verb }) => verb === 'amend')
  const disabledReason = amend ? amend.disabledReason : 'A courier or a carrier already has this delivery.'
  const store = storeOf(portal, one.store_id)
  return <FormOrReason key={one.id} delivery={one} store={store} disabledReason={disabledReason} />
}

type FormOrReasonProps = { delivery: Delivery; store: Store; disabledReason: string | null }

/** Once the form is shown it stays: a booking that starts meanwhile must not remove what the person typed. */
function FormOrReason({ delivery, store, disabledReason }: FormOrReasonProps) {
  const [isFormShown, setFormShown] = useState(disabledReason === null)
  if (!isFormShown && disabledReason !== null)
    return <NotAmendable delivery={delivery} why={disabledReason} />
  if (!isFormShown) setFormShown(true)
  return <AmendForm delivery={delivery} store={store} disabledReason={disabledReason} />
}

function NotAmendable({ delivery, why }: { delivery: Delivery; why: string }) {
  return (
    <div className="state">
      <h1>{delivery.reference} can’t be amended</h1>
      <p>{why}</p>
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.id }} className="b">
        Back to the delivery
      </Link>
    </div>
  )
}

function AmendForm({ delivery, store, disabledReason }: FormOrReasonProps) {
  const { tenantId } = usePortal()
  const nowMs = useMinute()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const reasonId = useId()
  // Only the fields that changed here are sent, so that changes by others meanwhile stay.
  const [seen] = useState(delivery)
  const [draft, setDraft] = useState(() => draftOf(seen))
  const change = (values: Partial<Draft>) => setDraft((before) => ({ ...before, ...values }))
  const back = (ignoreBlocker = true) =>
    navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: delivery.id }, ignoreBlocker })
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(seen))
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm('Leave without saving your changes? You’ll lose them.'),
    enableBeforeUnload: () => isDirty,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/amend', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
        body: amendmentOf(draft, seen),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['delivery', tenantId, delivery.id] }),
  })
  const submit = () => {
    if (isPending || areWritesDisabled() || disabledReason !== null) return
    // React Query calls this only while the page is still shown: the person may have gone to another page.
    mutate(undefined, { onSuccess: () => back() })
  }
  useKeys({ 'mod+enter': submit, escape: () => back(false) })
  const before = {
    window: isWindowKnown(delivery) ? formatWhen(delivery, store.time_zone, nowMs) : null,
    priceCents: delivery.service_quote?.price_cents ?? null,
  }
  return (
    <>
      <p className="crumb">
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery.id }}>
          {delivery.reference}
        </Link>
      </p>
      <div className="head">
        <h1>Amend {delivery.reference}</h1>
        <span className="dim">
          Before you save, check the price and delivery window under Delivery options.
        </span>
      </div>
      <div className="create">
        <DeliveryForm
          {...{ store, draft, change, error, submit }}
          otherwise="Your changes haven’t been saved."
        >
          <WritesDisabledReason id={reasonId} />
          <div className="row-of-buttons">
            <WriteButton
              describedBy={reasonId}
              type="submit"
              className="b next"
              busy={isPending}
              disabledReason={disabledReason}
            >
              Save changes <kbd>Ctrl Enter</kbd>
            </WriteButton>
            <button type="button" className="b" onClick={() => back()}>
              Keep the delivery as it is
            </button>
          </div>
        </DeliveryForm>
        <OptionsPanel
          quote={quoteOf(draft, store.reference, seen)}
          zone={store.time_zone}
          choice={draft}
          choose={change}
          canNameService={false}
          nowMs={nowMs}
          before={before}
        />
      </div>
    </>
  )
}
