import type { ReactNode } from 'react'
import { ClosedButton } from '../shared/closed-button.tsx'
import { useWhyClosed } from './connection.ts'

type WriteButtonProps = {
  /** The `WhyClosed` that stands beside it. */
  why: string
  type?: 'button' | 'submit'
  className: string
  disabled?: boolean
  'aria-label'?: string
  onClick?(): void
  children: ReactNode
}

/** A button that changes something: closed while nothing is heard, for nobody could say what became of it. */
export function WriteButton({ why, type = 'button', children, ...rest }: WriteButtonProps) {
  if (useWhyClosed() !== null) return <ClosedButton why={why}>{children}</ClosedButton>
  return (
    <button type={type} {...rest}>
      {children}
    </button>
  )
}

export function WhyClosed({ id }: { id: string }) {
  const why = useWhyClosed()
  if (why === null) return null
  return (
    <p id={id} className="dim">
      {why}
    </p>
  )
}
