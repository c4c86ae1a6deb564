import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext } from 'react'
import { EVERYWHERE } from '../deliveries/use-deliveries.ts'
import { usePortal } from '../portal.ts'
import type { DeliveriesSearch } from '../routes.tsx'
import { formatShare } from './format-figures.ts'

/** The scope of all figures of the page: deliveries that ended in these days, in one store or in all. */
export type InsightScope = { ended_from: string; ended_to: string; store: string | null }

export const ScopeContext = createContext<InsightScope>({ ended_from: '', ended_to: '', store: null })

/**
 * A figure that opens the deliveries it counts: those of the page, narrowed to its own. Those of a removed store cannot
 * be listed by themselves.
 */
export function Figure({ narrow = {}, children }: { narrow?: DeliveriesSearch; children: ReactNode }) {
  const { store, ...days } = useContext(ScopeContext)
  const { stores } = usePortal()
  if (narrow.store !== undefined && !stores.some(({ reference }) => reference === narrow.store))
    return children
  return (
    <Link
      to="/deliveries"
      search={{ store: store ?? EVERYWHERE, ...days, ...narrow }}
      className="figure-link"
      preload={false}
    >
      {children}
    </Link>
  )
}

/** A count; a zero opens nothing. */
export function Count({ of, narrow }: { of: number; narrow: DeliveriesSearch }) {
  return of === 0 ? '0' : <Figure narrow={narrow}>{of.toLocaleString('en-AU')}</Figure>
}

/** A share in per cent, which opens its deliveries. */
export function Share({ part, whole, narrow }: { part: number; whole: number; narrow: DeliveriesSearch }) {
  const words = formatShare(part, whole)
  return part === 0 ? words : <Figure narrow={narrow}>{words}</Figure>
}
