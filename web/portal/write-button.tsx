import type { ReactNode } from 'react'
import { ActionButton } from '../shared/action-button.tsx'
import { DisabledButton } from '../shared/disabled-button.tsx'
import { useOfflineReason } from './connection.ts'

type WriteButtonProps = {
  /** The `OfflineReason` beside it. */
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
  if (useOfflineReason() !== null)
    return <DisabledButton describedBy={describedBy}>{children}</DisabledButton>
  return (
    <ActionButton type={type} {...rest}>
      {children}
    </ActionButton>
  )
}

export function OfflineReason({ id }: { id: string }) {
  const why = useOfflineReason()
  if (why === null) return null
  return (
    <p id={id} className="dim">
      {why}
    </p>
  )
}
