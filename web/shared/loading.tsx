import { useEffect, useState } from 'react'
import { vars } from './vars.ts'

/** Nothing for the first 300 ms, then a grey skeleton of the content. */
export function Loading({ lines = [34, 82, 66] }: { lines?: readonly number[] }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label="Loading" className="load">
      {shown && lines.map((width) => <i key={width} style={vars({ w: width })} />)}
    </div>
  )
}
