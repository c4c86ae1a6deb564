import { useEffect } from 'react'

/** The tab says what changed first, and whose it is last. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Drover`
  }, [title])
}
