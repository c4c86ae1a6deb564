import { Link } from '@tanstack/react-router'
import { clockWords, longDay } from '../../shared/times.ts'
import { usePortal } from '../portal.ts'
import { useMinute } from '../use-minute.ts'

/** On every page of a sandbox account, so that nobody mistakes its date for today's. */
export function SandboxClock() {
  const { store, session } = usePortal()
  const nowMs = useMinute()
  if (store.account_mode !== 'sandbox') return null
  const zone = store.time_zone
  return (
    <p className="sandbox">
      This is a sandbox account. Its clock shows{' '}
      <b>
        {clockWords(nowMs, zone)}, {longDay(nowMs, zone)}.
      </b>{' '}
      {session.user.role === 'operator' && <Link to="/account/sandbox">Set the clock</Link>}
    </p>
  )
}
