import type { ReactNode } from 'react'

/** What may be wider than the screen: it scrolls by itself, by keys too. */
export function Wide({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody scrolls it by key.
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
