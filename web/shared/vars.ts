import type { CSSProperties } from 'react'

/** Numbers for the style sheet: `vars({ a: 20 })` is `--a: 20`. Set one by one, which a strict policy allows. */
export function vars(values: Readonly<Record<string, number>>): CSSProperties {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`--${name}`, value]),
  ) as CSSProperties
}
