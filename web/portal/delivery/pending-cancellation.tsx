import type { Delivery } from '../../shared/api.generated.ts'
import { Timestamp } from '../timestamp.tsx'

type Asked = NonNullable<Delivery['pending_cancellation']>

/** `zone`: its store's. */
type AskedProps = { asked: Asked; zone: string }

/** A pending cancellation: when its carrier was asked, why, and who has the delivery until it answers. */
export function PendingCancellation({
  asked: { at, purpose, reason },
  zone,
  carrier,
}: AskedProps & { carrier: string }) {
  return (
    <p className="when-line">
      <span className="dim">Asked back</span>{' '}
      <b>
        <Timestamp at={at} zone={zone} />, {purpose === 'cancel' ? 'to be cancelled' : 'to be booked anew'}
      </b>{' '}
      {reason && `“${reason}”`} {carrier} has not answered: it is {carrier}’s until then, and is asked again
      by itself.
    </p>
  )
}

/** The same while it is unknown whether a carrier has it. */
export function ToBeCancelled({ asked: { at, reason }, zone }: AskedProps) {
  return (
    <p className="when-line">
      <span className="dim">To be cancelled</span>{' '}
      <b>
        since <Timestamp at={at} zone={zone} />
      </b>{' '}
      {reason && `“${reason}”`} It is cancelled once it is known whether a carrier has it; one that has it is
      asked to let it go first.
    </p>
  )
}
