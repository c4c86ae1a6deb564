import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ManualOutcome } from '../../../src/domain/delivery/outcome-by-hand.ts'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { DisabledButton } from '../../shared/disabled-button.tsx'
import { Icon } from '../../shared/icon.tsx'
import { useWritesDisabledReason } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { storeOf, usePortal } from '../portal.ts'
import { OnPrinter } from '../today/on-printer.tsx'
import { SelectionToolbar } from '../today/selection-toolbar.tsx'
import { usePrinting } from '../today/use-printing.ts'
import { type Action, actionsOf, isOutcomeUnknown, type Verb } from './actions.ts'
import { ExtraBookingDialog } from './extra-booking-dialog.tsx'
import { HandoverDialog } from './handover-dialog.tsx'
import { OutcomeDialog } from './outcome-dialog.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { SendRestDialog } from './send-rest-dialog.tsx'
import { SettleDialog } from './settle-dialog.tsx'

type Asking = ManualOutcome | 'settle' | 'assign' | 'reassign' | 'cancel' | 'send_rest' | 'extra_cancelled'

/** The actions in a fixed order; a disabled one stays, with its reason beside the bar. */
export function ActionBar({ delivery }: { delivery: Delivery }) {
  const portal = usePortal()
  const { tenantId, may, nowMs } = portal
  const queries = useQueryClient()
  const navigate = useNavigate()
  const writesDisabledReason = useWritesDisabledReason()
  const [asking, setAsking] = useState<Asking | null>(null)
  const printing = usePrinting()
  const book = useMutation({
    mutationFn: () =>
      api.PATCH('/{tenant_id}/deliveries/{delivery_id_or_reference}/book', {
        params: { path: { tenant_id: tenantId, delivery_id_or_reference: delivery.id } },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['delivery', tenantId, delivery.id] }),
  })
  const actions = actionsOf(delivery, nowMs()).map((one) =>
    one.disabledReason === null ? { ...one, disabledReason: writesDisabledReason } : one,
  )
  const does: Readonly<Partial<Record<Verb, () => void>>> = {
    settle: () => setAsking('settle'),
    book: () => book.mutate(),
    retry: () => book.mutate(),
    print: () => printing.print([delivery]),
    assign: () => setAsking('assign'),
    reassign: () => setAsking('reassign'),
    cancel: () => setAsking('cancel'),
    delivered: () => setAsking('delivered'),
    returned: () => setAsking('returned'),
    taken_over: () => setAsking('taken_over'),
    send_rest: () => setAsking('send_rest'),
    extra_cancelled: () => setAsking('extra_cancelled'),
  }
  // A manifest page is for one store.
  const chooseItsStore = () => portal.chooseStore(storeOf(portal, delivery.store_id).reference)
  const writes = may('deliveries:write')
  const isEnabled = (verb: Verb) =>
    writes && actions.some((one) => one.verb === verb && one.disabledReason === null)
  useKeys({
    p: () => isEnabled('print') && does.print?.(),
    r: () => (isEnabled('assign') ? does.assign?.() : isEnabled('reassign') && does.reassign?.()),
    e: () => isEnabled('amend') && navigate(amendOf(delivery)),
    // For a delivery that goes on no manifest, the key opens the manifest of the whole day.
    ...(isEnabled('manifest') && {
      m: () => {
        chooseItsStore()
        return navigate(manifestOf(delivery))
      },
    }),
  })
  if (!writes) return null
  const reasons = [...new Set(actions.flatMap(({ disabledReason }) => disabledReason ?? []))]
  return (
    <>
      <div className="acts">
        {actions.map((action, index) =>
          action.disabledReason === null ? (
            <EnabledAction
              key={action.verb}
              action={action}
              first={index === 0}
              delivery={delivery}
              printer={printing.printerOf([delivery])}
              busy={book.isPending || printing.isPending}
              onPress={action.verb === 'manifest' ? chooseItsStore : does[action.verb]}
            />
          ) : (
            <DisabledButton key={action.verb} describedBy={`why-${reasons.indexOf(action.disabledReason)}`}>
              {action.label}
            </DisabledButton>
          ),
        )}
      </div>
      <div className="reason">
        {reasons.map((reason, index) => (
          <p key={reason} id={`why-${index}`}>
            {reason}
          </p>
        ))}
        <FieldError error={book.error} />
      </div>
      {asking === 'settle' && <SettleDialog delivery={delivery} onClose={() => setAsking(null)} />}
      {(asking === 'assign' || asking === 'reassign') && (
        <HandoverDialog delivery={delivery} by={asking} onClose={() => setAsking(null)} />
      )}
      {(asking === 'delivered' || asking === 'returned' || asking === 'taken_over') && (
        <OutcomeDialog delivery={delivery} outcome={asking} onClose={() => setAsking(null)} />
      )}
      {asking === 'send_rest' && <SendRestDialog delivery={delivery} onClose={() => setAsking(null)} />}
      {asking === 'extra_cancelled' && (
        <ExtraBookingDialog delivery={delivery} onClose={() => setAsking(null)} />
      )}
      {asking === 'cancel' && (
        <ReleaseDialog
          delivery={delivery}
          to="cancel"
          outcomeUnknown={isOutcomeUnknown(delivery)}
          onClose={() => setAsking(null)}
        />
      )}
      <SelectionToolbar
        ticked={0}
        batch={null}
        manifestable={[]}
        printing={printing}
        clear={printing.reset}
      />
    </>
  )
}

const manifestOf = ({ id }: Delivery) => ({ to: '/manifest', search: { only: id } }) as const
const amendOf = ({ id }: Delivery) =>
  ({ to: '/deliveries/$deliveryId/amend', params: { deliveryId: id } }) as const

type EnabledActionProps = {
  action: Action
  first: boolean
  delivery: Delivery
  printer: string | undefined
  busy: boolean
  onPress: (() => void) | undefined
}

const KEY: Readonly<Partial<Record<Verb, string>>> = { print: 'P', assign: 'R', reassign: 'R' }

/** The first action is the next step: the only yellow button of the page. */
function EnabledAction({
  action: { verb, label },
  first,
  delivery,
  printer,
  busy,
  onPress,
}: EnabledActionProps) {
  const look = first && verb !== 'print' ? 'b next' : verb === 'cancel' ? 'b no' : 'b'
  if (verb === 'manifest') {
    return (
      <Link {...manifestOf(delivery)} className={look} onClick={onPress}>
        {label} <kbd>M</kbd>
      </Link>
    )
  }
  if (verb === 'amend') {
    return (
      <Link {...amendOf(delivery)} className={look}>
        {label} <kbd>E</kbd>
      </Link>
    )
  }
  return (
    <ActionButton type="button" className={look} busy={busy} onClick={onPress}>
      {verb === 'print' && <Icon name="print" />} {label} {verb === 'print' && <OnPrinter name={printer} />}{' '}
      {KEY[verb] && <kbd>{KEY[verb]}</kbd>}
    </ActionButton>
  )
}
