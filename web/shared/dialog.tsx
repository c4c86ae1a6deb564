import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

/**
 * For a list of options within a dialog: it has to be inside the dialog's element to be above the page, and `fixed`
 * lets it reach over the dialog's edges. Without a transition it does not move while it is clicked.
 */
export const WITHIN_DIALOG = {
  withinPortal: false,
  floatingStrategy: 'fixed',
  transitionProps: { duration: 0 },
} as const

/**
 * The browser's own dialog, which keeps the focus and returns it. Only to confirm, or to ask one question. Without
 * `onClose` it stays until it is removed.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose?: (() => void) | undefined
  children: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    current?.showModal()
    return () => current?.close()
  }, [])
  const stay = () => box.current?.showModal()
  // Closed by its removal alone: the browser would return the focus first and report the end later, when the work may
  // have begun again.
  const cancelled = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose?.()
  }
  // A second Escape closes without asking.
  const closed = () => box.current && (onClose ?? stay)()
  return (
    <dialog ref={box} className="dialog" aria-label={title} onCancel={cancelled} onClose={closed}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
