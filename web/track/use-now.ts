import { useEffect, useState } from 'react'

/** The delivery's own time, running on from the server's; it moves once a minute, and at each poll. */
export function useNow(now: string, readAtMs: number): number {
  const [wallMs, setWallMs] = useState(Date.now)
  useEffect(() => {
    setWallMs(Date.now())
    const timer = setInterval(() => setWallMs(Date.now()), 20_000)
    return () => clearInterval(timer)
  }, [])
  return Date.parse(now) + Math.max(0, wallMs - readAtMs)
}
