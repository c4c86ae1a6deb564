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
      <span className="dim">Cancellation requested</span>{' '}
      <b>
        <Timestamp at={at} zone={zone} />
        {purpose === 'replan' && ', so that we can book another carrier'}
      </b>
      . {reason && `Reason: “${reason.replace(/\.$/, '')}”.`} {carrier} hasn’t answered and still has the
      delivery. We’ll keep asking until they answer.
    </p>
  )
}

/** The same while it is unknown whether a carrier has it. */
export function ToBeCancelled({ asked: { at, reason }, zone }: AskedProps) {
  return (
    <p className="when-line">
      <span className="dim">Cancellation requested</span>{' '}
      <b>
        <Timestamp at={at} zone={zone} />
      </b>
      . {reason && `Reason: “${reason.replace(/\.$/, '')}”.`} We’ll cancel the delivery once we know whether a
      carrier has it. If one does, we’ll ask them to cancel their booking first.
    </p>
  )
}
