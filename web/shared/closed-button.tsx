import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A button that is closed at present: it stays, can be reached, and points to the sentence that says why. */
export function ClosedButton({ children, why }: { children: ReactNode; why: string }) {
  return (
    <button type="button" className="b" aria-disabled="true" aria-describedby={why}>
      <Icon name="lock" size={15} /> {children}
    </button>
  )
}
