import type { Delivery } from '../../shared/api.generated.ts'
import { Moment } from '../moment.tsx'

type AskedBackProps = { asked: NonNullable<Delivery['asked_back']>; carrier: string }

/** That its carrier was asked to let it go, what for, and whose it is until there is an answer. */
export function AskedBack({ asked: { at, wish, reason }, carrier }: AskedBackProps) {
  return (
    <p className="when-line">
      <span className="dim">Asked back</span>{' '}
      <b>
        <Moment at={at} />, {wish === 'cancel' ? 'to be cancelled' : 'to be booked anew'}
      </b>{' '}
      {reason && `“${reason}”`} {carrier} has not answered: it is {carrier}’s until then, and is asked again
      by itself.
    </p>
  )
}
