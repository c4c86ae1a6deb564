import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * A dialog of the browser's own: it keeps the focus and gives it back. Only to confirm, or to ask one thing. Without
 * `onClose` it stays until it is taken away.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose?(): void
  children: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    current?.showModal()
    return () => current?.close()
  }, [])
  const stay = () => box.current?.showModal()
  return (
    <dialog ref={box} className="dialog" aria-label={title} onCancel={onClose} onClose={onClose ?? stay}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
