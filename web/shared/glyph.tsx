import type { ReactNode } from 'react'
import type { Shape } from '../../src/domain/delivery/status-labels.ts'

export type GlyphShape = Shape | 'triangle' | 'sheet' | 'sheet-line' | 'sheet-tick' | 'none'

/** A mark of 18 px in the colour of its text; hidden from screen readers, which read the word beside it. */
export function Glyph({ shape }: { shape: GlyphShape }) {
  return (
    <svg className="g" viewBox="0 0 18 18" aria-hidden="true">
      {DRAWINGS[shape]}
    </svg>
  )
}

const solid = { fill: 'currentColor', stroke: 'none' } as const
const cut = { stroke: 'var(--sheet)' } as const
const disc = <circle cx="9" cy="9" r="7.5" {...solid} />
const sheet = <path d="M4 2h7l3.500 3.500V16H4Z" />

const DRAWINGS: Readonly<Record<GlyphShape, ReactNode>> = {
  'small-ring': <circle cx="9" cy="9" r="3" />,
  'dashed-ring': <circle cx="9" cy="9" r="6.5" strokeDasharray="3.1 2" />,
  diamond: (
    <>
      <path d="M9 .8 17.2 9 9 17.2.8 9Z" {...solid} />
      <path d="M9 5v5M9 11.6v1.8" {...cut} />
    </>
  ),
  'barred-ring': (
    <>
      <circle cx="9" cy="9" r="6.5" />
      <path d="M3 9h12" />
    </>
  ),
  'half-ring': (
    <>
      <circle cx="9" cy="9" r="6.5" />
      <path d="M2.5 9a6.5 6.5 0 0 0 13 0Z" fill="currentColor" />
    </>
  ),
  chevrons: <path d="M2 4.5 6.5 9 2 13.5M7.5 4.5 12 9l-4.500 4.500M16 3v12" />,
  'disc-arrow': (
    <>
      {disc}
      <path d="M6.8 5.2 13 9l-6.200 3.800Z" fill="var(--sheet)" stroke="none" />
    </>
  ),
  'disc-tick': (
    <>
      {disc}
      <path d="m5.300 9.200 2.600 2.700 4.900-5.500" {...cut} />
    </>
  ),
  'opposed-arrows': (
    <path
      d="M2 6h10.500M9.500 2.500 13 6 9.500 9.500M16 12.500H5.500M8.500 9 5 12.500 8.500 16"
      strokeWidth="1.8"
    />
  ),
  'ring-left': (
    <>
      <circle cx="9" cy="9" r="7" />
      <path d="M13 9H5.500M8.500 5.800 5.300 9l3.200 3.200" strokeWidth="1.8" />
    </>
  ),
  'disc-left': (
    <>
      {disc}
      <path d="M13 9H5.500M8.500 5.800 5.300 9l3.200 3.200" {...cut} strokeWidth="1.8" />
    </>
  ),
  'struck-ring': (
    <>
      <circle cx="9" cy="9" r="6.5" />
      <path d="m4.500 13.500 9-9" />
    </>
  ),
  triangle: (
    <>
      <path d="M9 1.500 17 16H1Z" {...solid} />
      <path d="M9 6v5M9 12.300v1.800" {...cut} strokeWidth="1.8" />
    </>
  ),
  sheet,
  'sheet-line': (
    <>
      {sheet}
      <path d="M7 10.500h4.500" />
    </>
  ),
  'sheet-tick': (
    <>
      <path d="M3.500 1.500h7.700L15 5.300V16.500H3.500Z" {...solid} />
      <path d="m6 10.300 2.300 2.300 4-4.600" {...cut} />
    </>
  ),
  none: null,
}
