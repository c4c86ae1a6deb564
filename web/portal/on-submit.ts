import type { FormEvent } from 'react'

/** For a form whose sending is ours: the page stays. */
export function onSubmit(work: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    work()
  }
}
