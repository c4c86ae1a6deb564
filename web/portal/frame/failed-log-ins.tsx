import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count } from '../../shared/count.ts'
import { readSetting, saveSetting } from '../../shared/local-storage.ts'
import { usePortal } from '../portal.ts'
import { Timestamp } from '../timestamp.tsx'

const SEEN = 'failed-logins-seen'

/** After a login: reports earlier attempts that failed. It stays until the user has read it. */
export function FailedLogIns() {
  const { count: failed, last_at: lastAt } = usePortal().session.failed_logins
  const [seen, setSeen] = useState(() => readSetting(SEEN))
  if (failed === 0 || lastAt === null || seen === lastAt) return null
  const read = () => {
    saveSetting(SEEN, lastAt)
    setSeen(lastAt)
  }
  return (
    <div className="sandbox" role="status">
      <span>
        Before you logged in, we recorded <b>{count(failed, 'failed login')}</b> with your email address
        {failed === 1 ? ': ' : '. The latest: '}
        <Timestamp at={lastAt} />. If someone else tried to log in, change your password in{' '}
        <Link to="/log-in">Your account</Link>.
      </span>
      <button type="button" className="b s" onClick={read}>
        OK
      </button>
    </div>
  )
}
