import { Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CarrierSwitch } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { ConfirmAction } from '../confirm-action.tsx'
import { usePortal } from '../portal.ts'

type SwitchOffProps = {
  carrier: { provider: string; name: string; uncollected_count: number }
  onClose(): void
}

/** Before a carrier is switched off: shows what happens to its deliveries. */
export function SwitchOff({ carrier: { provider, name, uncollected_count }, onClose }: SwitchOffProps) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [replan, setReplan] = useState(false)
  const [isDecommissioned, setDecommissioned] = useState(false)
  const params = { path: { tenant_id: tenantId, provider } }
  const body: CarrierSwitch = {
    on: false,
    replan: replan || isDecommissioned,
    decommissioned: isDecommissioned,
    ...(reason.trim() && { reason: reason.trim() }),
  }
  return (
    <ConfirmAction
      title={`Switch ${name} off?`}
      confirmLabel="Switch it off"
      onClose={onClose}
      work={async () => {
        await api.PUT('/{tenant_id}/carriers/{provider}/switch', { params, body })
        await queries.invalidateQueries({ queryKey: ['carriers', tenantId] })
      }}
    >
      <span>We won’t offer or book {name} until you switch it on again.</span>
      <TextInput
        label="Reason"
        description="Shown to staff (optional)"
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {uncollected_count > 0 && (
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
            onChange={(event) => setReplan(event.currentTarget.checked)}
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
