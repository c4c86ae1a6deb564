import { useEffect } from 'react'

/** The tab's title starts with what changed and ends with the name. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Drover`
  }, [title])
}
