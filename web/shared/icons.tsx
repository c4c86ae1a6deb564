import type { ReactNode } from 'react'

export type IconName = keyof typeof DRAWINGS

/** Drawings of 18 units beside words; hidden from screen readers. */
export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {DRAWINGS[name]}
    </svg>
  )
}

const DRAWINGS = {
  door: <path d="M4.500 16V2h9v14M2 16h14M11 9.500h.1" />,
  note: <path d="M2 15c3-1 3-7 5-7s0 6 2 6 2-3 3.500-3 1 3 3.500 3" />,
  phone: (
    <path d="M3 2.500h3.500L8 6.500 6 8c.8 1.800 2.200 3.200 4 4l1.500-2 4 1.500V15c0 .8-.7 1-1.500 1C7.500 15.500 2.500 10.500 2 4c0-.8.2-1.500 1-1.500Z" />
  ),
  box: <path d="M2.500 5.500 9 2l6.500 3.500v7L9 16l-6.500-3.500ZM2.500 5.500 9 9l6.500-3.500M9 9v7" />,
  clock: <path d="M9 16.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15ZM9 5v4l2.500 2" />,
  way: <path d="M16 2 2 8l6 2 2 6Z" />,
  back: <path d="M11 4.500 6.500 9l4.500 4.500" />,
  tick: <path d="m3 9.500 4 4 8-9" />,
  camera: (
    <>
      <path d="M2 5h3.500L7 3h4l1.500 2H16v10H2Z" />
      <circle cx="9" cy="9.700" r="2.800" />
    </>
  ),
  pin: <path d="M3 5h12v8H3ZM6 9h.1M9 9h.1M12 9h.1" />,
  person: (
    <path d="M9 9a3.200 3.200 0 1 0 0-6.400A3.200 3.200 0 0 0 9 9ZM2.500 16c.6-3.200 3.200-5 6.500-5s5.900 1.800 6.500 5" />
  ),
  id: <path d="M2 4h14v10H2ZM5 7.500h4M5 10.500h3M12 9.500h1.500" />,
  warning: <path d="M9 2 16.500 15.500h-15ZM9 7v4M9 13.200h.1" />,
  'no-signal': (
    <path d="M2 2l14 14M3 8a9 9 0 0 1 4-2.200M15 8a9 9 0 0 0-3-2M6 11a4.500 4.500 0 0 1 2.500-1.200M9 14h.1" />
  ),
} as const satisfies Record<string, ReactNode>
