import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Manifest, SettleSubmitRequest } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { formatList } from '../../shared/format-list.ts'
import { areWritesDisabled } from '../connection.ts'
import { FieldError } from '../field-error.tsx'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { WriteButton, WritesDisabledReason } from '../write-button.tsx'
import { findManifestProblem } from './manifest-problem.ts'
import { useManifestChange } from './use-manifests.ts'

/** A carrier never confirmed or refused a manifest: a clerk has asked it and records its answer. */
export function SettleManifestDialog({ manifest, onClose }: { manifest: Manifest; onClose(): void }) {
  const { tenantId } = usePortal()
  const reasonId = useId()
  const [number, setNumber] = useState('')
  const { id, carrier_provider: carrier, counts, manifest_deliveries: rows } = manifest
  const isOne = counts.deliveries === 1
  const deliveries = isOne ? 'delivery' : count(counts.deliveries, 'delivery', 'deliveries')
  const { mutate, error, isPending } = useManifestChange(
    id,
    (body: SettleSubmitRequest) =>
      api.PATCH('/{tenant_id}/manifests/{manifest_id}/settle-submit', {
        params: { path: { tenant_id: tenantId, manifest_id: id } },
        body,
      }),
    onClose,
  )
  const sending = sentByButton(
    () => !areWritesDisabled() && mutate({ submitted: true, order_id: number.trim() }),
  )
  return (
    <Dialog title={`Does ${carrier} have this manifest?`} onClose={onClose}>
      <p className="dim">
        {findManifestProblem(manifest)?.cause} Ask them about{' '}
        {rows.length === 1 ? 'consignment' : 'consignments'}{' '}
        {formatList(rows.map(({ consignment_number }) => consignment_number))}.
      </p>
      <form {...sending} className="fields">
        <p>
          <b>If they have it,</b> we’ll record the manifest as submitted, with its {deliveries}, under the
          carrier’s order number. We won’t send the manifest again.
        </p>
        <TextInput
          label="Carrier’s order number"
          required
          maxLength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9_.\/:\-]*"
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
        <p>
          <b>If they don’t,</b> we’ll record the manifest as refused, and its {deliveries} can go on another
          manifest. If they do have this manifest, they’ll get the same {isOne ? 'delivery' : 'deliveries'}{' '}
          twice.
        </p>
        <FieldError error={error} />
        <WritesDisabledReason id={reasonId} />
        <div className="row-of-buttons">
          <WriteButton describedBy={reasonId} type="submit" className="b ink" busy={isPending}>
            Yes, they have it
          </WriteButton>
          <WriteButton
            describedBy={reasonId}
            className="b"
            busy={isPending}
            onClick={() => mutate({ submitted: false })}
          >
            No, they don’t
          </WriteButton>
          <button type="button" className="b quiet" onClick={onClose}>
            Later
          </button>
        </div>
      </form>
    </Dialog>
  )
}
