import { useEffect, useState } from 'react'
import { undoStep, useOutbox } from './outbox.ts'
import { go } from './route.ts'

/** The last proof can be undone for ten seconds, before it is sent. */
export function UndoBar() {
  const { waiting } = useOutbox()
  const [nowMs, setNowMs] = useState(Date.now)
  const last = waiting.findLast(({ verb, notBeforeMs }) => verb === 'deliver' && notBeforeMs > nowMs)
  useEffect(() => {
    if (!last) return
    const timer = setTimeout(() => setNowMs(Date.now()), last.notBeforeMs - Date.now() + 10)
    return () => clearTimeout(timer)
  }, [last])
  if (!last) return null
  const undo = async () => {
    if (!(await undoStep(last.id))) return
    go({ page: 'proof', job: last.jobId })
  }
  return (
    <p className="undo" role="status">
      <span>Delivered: {last.about}.</span>
      <button type="button" className="half" onClick={undo}>
        Undo
      </button>
    </p>
  )
}
