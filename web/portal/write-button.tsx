import type { ReactNode } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { DisabledButton } from '../shared/disabled-button.tsx'
import { useWritesDisabledReason } from './connection.ts'

type WriteButtonProps = {
  /** The `WritesDisabledReason` beside it. */
  describedBy: string
  type?: 'button' | 'submit'
  className: string
  busy?: boolean
  /** Why it is disabled, as a sentence. */
  disabledReason?: string | false | null
  'aria-label'?: string
  onClick?(): void
  children: ReactNode
}

/**
 * A button that changes something: disabled while the server does not respond, because the outcome would be unknown.
 */
export function WriteButton({ describedBy, type = 'button', children, ...rest }: WriteButtonProps) {
  if (useWritesDisabledReason() !== null)
    return <DisabledButton describedBy={describedBy}>{children}</DisabledButton>
  return (
    <ActionButton type={type} {...rest}>
      {children}
    </ActionButton>
  )
}

export function WritesDisabledReason({ id }: { id: string }) {
  const why = useWritesDisabledReason()
  if (why === null) return null
  return (
    <p id={id} className="dim">
      {why}
    </p>
  )
}
