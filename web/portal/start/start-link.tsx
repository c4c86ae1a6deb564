import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePortal } from '../portal.ts'
import { endStart, useStartOver } from './start-over.ts'
import { STEPS, useSteps } from './use-steps.ts'

/**
 * Whether the navigation leads to "Getting started": for the merchant's admin, while a step is open. Undefined until we know, because a link that appears late shifts the layout under the pointer.
 */
export function useStartShown(): boolean | undefined {
  const { session, tenantId } = usePortal()
  const isOver = useStartOver(tenantId)
  const isWanted = session.user.role === 'merchant_admin' && !isOver
  const { done, isAsking } = useSteps(isWanted)
  const isDone = done !== undefined && STEPS.every((step) => done[step])
  useEffect(() => {
    if (isDone) endStart(tenantId)
  }, [isDone, tenantId])
  if (isAsking) return undefined
  return isWanted && done !== undefined && !isDone
}

export function StartLink() {
  return (
    <Link to="/start" activeProps={{ 'aria-current': 'page' }}>
      Getting started
    </Link>
  )
}
