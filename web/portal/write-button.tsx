import type { ReactNode } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { ClosedButton } from '../shared/closed-button.tsx'
import { useWhyClosed } from './connection.ts'

type WriteButtonProps = {
  /** The `WhyClosed` beside it. */
  why: string
  type?: 'button' | 'submit'
  className: string
  busy?: boolean
  /** Why it is disabled, as a sentence. */
  closed?: string | false | null
  'aria-label'?: string
  onClick?(): void
  children: ReactNode
}

/**
 * A button that changes something: disabled while the server does not respond, because the outcome would be unknown.
 */
export function WriteButton({ why, type = 'button', children, ...rest }: WriteButtonProps) {
  if (useWhyClosed() !== null) return <ClosedButton why={why}>{children}</ClosedButton>
  return (
    <ActionButton type={type} {...rest}>
      {children}
    </ActionButton>
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
