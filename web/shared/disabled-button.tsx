import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A disabled button: it can have the focus, and refers to the sentence with the reason. */
export function DisabledButton({ children, describedBy }: { children: ReactNode; describedBy: string }) {
  return (
    <button type="button" className="b" aria-disabled="true" aria-describedby={describedBy}>
      <Icon name="lock" size={15} /> {children}
    </button>
  )
}
