import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** Tabs that scroll on small screens: keeps the current one in sight, even after a phone or tablet is turned. */
export function useCurrentTab(): RefObject<HTMLElement | null> {
  const tabs = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own tab.
  useEffect(() => {
    const show = () => tabs.current && scrollToCurrent(tabs.current)
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [pathname])
  return tabs
}

function scrollToCurrent(tabs: HTMLElement): void {
  const tab = tabs.querySelector('[aria-current]')
  if (!tab) return
  const [inner, outer] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()]
  tabs.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
}
