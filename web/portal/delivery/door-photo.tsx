import { useState } from 'react'
import type { Delivery } from '../../shared/api.generated.ts'
import { usePortal } from '../portal.ts'

/** A store courier's photo from the address: the parcel, or why it could not be delivered. */
export function DoorPhoto({ delivery }: { delivery: Delivery }) {
  const { tenantId } = usePortal()
  const [missing, setMissing] = useState<string | null>(null)
  const format = formatOf(delivery)
  const address = format && `/${tenantId}/deliveries/${delivery.id}/proof?format=${format}`
  // Not every proof is a photo: only a request shows it.
  if (!address || missing === address) return null
  return (
    <figure className="door-photo">
      <img src={address} alt={TEXTS[format]} onError={() => setMissing(address)} />
      <figcaption>{TEXTS[format]}</figcaption>
    </figure>
  )
}

const TEXTS = { image: 'Proof of delivery', failed: 'Photo of the failed delivery attempt' } as const

function formatOf({
  use_staff_couriers,
  status,
  sub_status,
  proof_url,
}: Delivery): 'image' | 'failed' | null {
  if (proof_url) return 'image'
  const failed = sub_status === 'attempted' || status === 'pending_return' || status === 'returned'
  return use_staff_couriers && failed ? 'failed' : null
}
