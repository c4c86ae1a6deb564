import { useSyncExternalStore } from 'react'
import { type NoNews, whyClosed } from './no-news.ts'

/** Null while the server responds. */
let noNews: NoNews | null = null
const listeners = new Set<() => void>()

/** Set by the live updates, which poll all the time. */
export function setNoNews(now: NoNews | null): void {
  if (isSame(now, noNews)) return
  noNews = now
  for (const listener of listeners) listener()
}

export function useNoNews(): NoNews | null {
  return useSyncExternalStore(listen, () => noNews)
}

/** Why actions that write are disabled: a request would probably fail now. Null while they are enabled. */
export function useWhyClosed(): string | null {
  return whyClosed(useNoNews())
}

export function isClosed(): boolean {
  return whyClosed(noNews) !== null
}

function isSame(one: NoNews | null, other: NoNews | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
