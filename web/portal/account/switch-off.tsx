import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CarrierSwitch } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { usePortal } from '../portal.ts'
import { valueAt } from '../settings/edits.ts'

type SwitchOffProps = {
  carrier: { provider: string; name: string; uncollected_count: number }
  onClose(): void
}

/** Before a carrier is switched off: shows what happens to its deliveries. */
export function SwitchOff({ carrier: { provider, name, uncollected_count }, onClose }: SwitchOffProps) {
  const { tenantId } = usePortal()
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [isDecommissioned, setDecommissioned] = useState(false)
  const setting = useQuery({
    queryKey: ['account-document', tenantId, 'replan-when-off'],
    queryFn: async () => {
      const account = { path: { tenant_id: tenantId } }
      const document = await api.GET('/admin/accounts/{tenant_id}', { params: account })
      return valueAt(document, ['booking', 'replan_when_off']) === true
    },
    enabled: uncollected_count > 0,
  })
  const replan = chosen ?? setting.data
  const isReplanShown = uncollected_count > 0 && replan !== undefined
  const params = { path: { tenant_id: tenantId, provider } }
  const body: CarrierSwitch = {
    on: false,
    // Without it, the server uses the account’s setting.
    ...(isReplanShown && { replan: replan || isDecommissioned }),
    decommissioned: isDecommissioned,
    ...(reason.trim() && { reason: reason.trim() }),
  }
  return (
    <ConfirmAction
      title={`Switch ${name} off?`}
      confirmLabel="Switch it off"
      onClose={onClose}
      stale={['carriers', tenantId]}
      work={() => api.PUT('/{tenant_id}/carriers/{provider}/switch', { params, body })}
    >
      <span>We won’t offer or book {name} until you switch it on again.</span>
      <TextInput
        label="Reason"
        description="Shown to staff (optional)"
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {uncollected_count > 0 &&
        replan === undefined &&
        (setting.error ? (
          <ProblemView error={setting.error} retry={setting.refetch} />
        ) : (
          <Loading lines={[60]} />
        ))}
      {isReplanShown && (
        <>
          <Checkbox
            label={`Book another carrier for ${
              uncollected_count === 1
                ? 'the delivery'
                : `the ${count(uncollected_count, 'delivery', 'deliveries')}`
            } that ${name} hasn’t collected`}
            description={
              isDecommissioned
                ? 'When a carrier has stopped collecting for good, we always book another one.'
                : `Once ${name} cancels a delivery, we’ll book another carrier for it. Deliveries on a manifest will stay with ${name}.`
            }
            checked={replan || isDecommissioned}
            disabled={isDecommissioned}
            onChange={(event) => setChosen(event.currentTarget.checked)}
          />
          <Checkbox
            label={`${name} has stopped collecting for good`}
            description={`For example, ${name} has closed down. We’ll also move deliveries that are already on a manifest, and won’t wait for ${name} to cancel them.`}
            checked={isDecommissioned}
            onChange={(event) => setDecommissioned(event.currentTarget.checked)}
          />
        </>
      )}
    </ConfirmAction>
  )
}
