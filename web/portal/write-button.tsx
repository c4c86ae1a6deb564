import type { ReactNode } from 'react'
import { ClosedButton } from '../shared/closed-button.tsx'
import { useIsSilent } from './connection.ts'

/** Why what writes is closed while nothing is heard of the server. */
export const NO_CONNECTION = 'No connection: this is open again once it is back.'

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

/** A button that changes something: closed without a connection, for nobody could say what became of it. */
export function WriteButton({ why, type = 'button', children, ...rest }: WriteButtonProps) {
  if (useIsSilent()) return <ClosedButton why={why}>{children}</ClosedButton>
  return (
    <button type={type} {...rest}>
      {children}
    </button>
  )
}

export function WhyClosed({ id }: { id: string }) {
  if (!useIsSilent()) return null
  return (
    <p id={id} className="dim">
      {NO_CONNECTION}
    </p>
  )
}
