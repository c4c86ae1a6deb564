import { useQuery } from '@tanstack/react-query'
import type { Link } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { CopyButton } from '../copy-button.tsx'
import { FieldError } from '../field-error.tsx'
import { usePortal } from '../portal.ts'

/** A link's address, for a customer who does not get it by SMS. */
export function LinkAddress({ link, onClose }: { link: Link; onClose(): void }) {
  const { tenantId } = usePortal()
  const { data, error } = useQuery({
    queryKey: ['link-address', tenantId, link.id],
    // Each request is audited; and a link that is left open on a screen gives access.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId, link_id: link.id } }
      return (await api.POST('/{tenant_id}/links/{link_id}/address', { params })).data
    },
  })
  return (
    <Dialog title={`Link for ${link.reference}`} onClose={onClose}>
      <p className="dim">
        Send this link only to the customer. Anyone with the link and the order number can book the delivery.
      </p>
      <FieldError error={error} />
      {data && (
        <p className="link-address">
          <span className="mono">{data.link}</span>
          <CopyButton text={data.link} label={`Copy the link for ${link.reference}`} />
        </p>
      )}
      <div className="row-of-buttons">
        <button type="button" className="b ink" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
