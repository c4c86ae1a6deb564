import { type RefObject, useEffect, useState } from 'react'

/** How wide an element is drawn, in whole pixels; `guess` until that is known. */
export function useWidth(element: RefObject<Element | null>, guess: number): number {
  const [width, setWidth] = useState(guess)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const seen = Math.round(entry?.contentRect.width ?? 0)
      if (seen > 0) setWidth(seen)
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
