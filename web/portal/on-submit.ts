import type { FormEvent, KeyboardEvent } from 'react'

/** For a form that the app sends itself: the page stays. */
export function onSubmit(work: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    work()
  }
}

/**
 * For a form that creates or changes something: Enter goes to the next field, because scanners end with it. Only the
 * button or Ctrl Enter (on a Mac also Cmd Enter) sends. Enter sends logins and searches, as everywhere.
 */
export function sentByButton(work: () => void) {
  return { onSubmit: onSubmit(work), onKeyDown: moveOn }
}

function moveOn(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return
  const form = event.currentTarget
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault()
    form.querySelector<HTMLElement>('[type="submit"]')?.click()
    return
  }
  const field = event.target
  if (!(field instanceof HTMLInputElement) || field.type === 'submit') return
  event.preventDefault()
  const fields = [...form.elements].filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && !one.matches(':disabled, [tabindex="-1"], [type="hidden"], fieldset'),
  )
  const next = fields[fields.indexOf(field) + 1]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
}
