import { useEffect, useState } from 'react'
import { usePortal } from './portal.ts'

/** The account's time, updated each minute. */
export function useMinute(): number {
  const { nowMs } = usePortal()
  const [at, setAt] = useState(nowMs)
  useEffect(() => {
    setAt(nowMs())
    const timer = setInterval(() => setAt(nowMs()), 20_000)
    return () => clearInterval(timer)
  }, [nowMs])
  return Math.floor(at / 60_000) * 60_000
}
