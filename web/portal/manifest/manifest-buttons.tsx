import { useState } from 'react'
import type { Manifest } from '../../shared/api.generated.ts'
import { api, localAddress } from '../../shared/api.ts'
import { Icon } from '../../shared/icon.tsx'
import { ConfirmAction } from '../confirm-action.tsx'
import { FieldError } from '../field-error.tsx'
import { CONNECTION_FAILURE_ID } from '../live-updates.tsx'
import { usePortal } from '../portal.ts'
import { WriteButton } from '../write-button.tsx'
import { formatDiscard, manifestActionsOf } from './manifest-actions.ts'
import { SettleManifestDialog } from './settle-manifest-dialog.tsx'
import { useManifestChange } from './use-manifests.ts'

/** In a row of the list, or on its own card; `next`: printing is the next step of the page. */
type ManifestButtonsProps = { manifest: Manifest; size: 's' | ''; next?: boolean }

/** The actions that a manifest allows now. */
export function ManifestButtons({ manifest, size, next = false }: ManifestButtonsProps) {
  const { tenantId } = usePortal()
  const [settling, setSettling] = useState(false)
  const [discarding, setDiscarding] = useState(false)
  const { id, carrier_provider, manifest_group } = manifest
  const offers = new Map(
    manifestActionsOf(manifest).map(({ action, disabledReason }) => [action, disabledReason]),
  )
  const whose = `${carrier_provider} ${manifest_group}`
  const submit = useManifestChange(id, () =>
    api.POST('/{tenant_id}/manifests/{manifest_id}/submit', {
      params: { path: { tenant_id: tenantId, manifest_id: id } },
    }),
  )
  const discard = useManifestChange(id, () =>
    api.PATCH('/{tenant_id}/manifests/{manifest_id}/discard', {
      params: { path: { tenant_id: tenantId, manifest_id: id } },
    }),
  )
  return (
    <>
      {offers.has('submit') && (
        <WriteButton
          describedBy={CONNECTION_FAILURE_ID}
          disabledReason={offers.get('submit') ?? null}
          className={`b ${size}`}
          busy={submit.isPending}
          aria-label={`Submit the manifest for ${whose}`}
          onClick={() => submit.mutate(undefined)}
        >
          Submit
        </WriteButton>
      )}
      {offers.has('settle') && (
        <WriteButton
          describedBy={CONNECTION_FAILURE_ID}
          className={`b ${size}`}
          aria-label={`Record answer from ${whose}`}
          onClick={() => setSettling(true)}
        >
          Record answer
        </WriteButton>
      )}{' '}
      {offers.has('discard') && (
        <WriteButton
          describedBy={CONNECTION_FAILURE_ID}
          className={`b ${size}`}
          aria-label={`Discard the manifest for ${whose}`}
          onClick={() => setDiscarding(true)}
        >
          Discard
        </WriteButton>
      )}{' '}
      {hasPaper(manifest) && (
        <a
          className={`b ${size} ${next ? 'next' : ''}`}
          href={localAddress(manifest.order_summary_url)}
          target="_blank"
          rel="noreferrer"
        >
          {size === 's' ? (
            'Summary'
          ) : (
            <>
              <Icon name="print" /> Print the summary
            </>
          )}
        </a>
      )}
      <FieldError error={submit.error} />
      {discarding && (
        <ConfirmAction
          title="Discard this manifest?"
          confirmLabel="Discard it"
          work={() => discard.mutateAsync(undefined)}
          onClose={() => setDiscarding(false)}
        >
          <p>{formatDiscard(manifest)}</p>
        </ConfirmAction>
      )}
      {settling && <SettleManifestDialog manifest={manifest} onClose={() => setSettling(false)} />}
    </>
  )
}

/** There is nothing to sign while its carrier is being called, after a refusal, or once it is discarded. */
export function hasPaper(manifest: Manifest): manifest is Manifest & { order_summary_url: string } {
  return (
    !['submitting', 'refused', 'discarded'].includes(manifest.status) &&
    manifest.order_summary_url !== undefined
  )
}
