import type { ReactNode } from 'react'

/** Content that may be wider than the screen: it scrolls by itself, by keys too. */
export function Wide({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll it.
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
