import { useSyncExternalStore } from 'react'
import { readSetting, saveSetting } from '../shared/local-storage.ts'

/**
 * Deliveries whose labels were printed, as the clerk confirmed in this browser, and when. Browsers do not report
 * whether paper came out.
 */
type Printed = Readonly<Record<string, number>>

const MAX_KEPT = 1_000
let known: Printed = JSON.parse(readSetting('printed') ?? '{}')
const listeners = new Set<() => void>()

export function markPrinted(ids: readonly string[], atMs: number): void {
  const all = { ...known, ...Object.fromEntries(ids.map((id) => [id, atMs])) }
  const newest = Object.entries(all).sort(([, a], [, b]) => b - a)
  known = Object.fromEntries(newest.slice(0, MAX_KEPT))
  saveSetting('printed', JSON.stringify(known))
  for (const listener of listeners) listener()
}

export function usePrinted(): Printed {
  return useSyncExternalStore(subscribe, () => known)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
