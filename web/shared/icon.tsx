import type { ReactNode } from 'react'

export type IconName =
  | 'down'
  | 'search'
  | 'plus'
  | 'print'
  | 'lock'
  | 'tick'
  | 'page'
  | 'phone'
  | 'offline'
  | 'right'
  | 'close'

/** A line drawing beside a word; hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
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

const DRAWINGS: Readonly<Record<IconName, ReactNode>> = {
  down: <path d="m4.500 7 4.500 4.500L13.500 7" />,
  right: <path d="M7 4.500 11.500 9 7 13.500" />,
  search: (
    <>
      <circle cx="8" cy="8" r="5" />
      <path d="m12 12 4 4" />
    </>
  ),
  plus: <path d="M9 3v12M3 9h12" />,
  print: <path d="M5 6V2h8v4M5 13H2.500V6.500h13V13H13M5 10.500h8V16H5Z" />,
  lock: <path d="M4 8h10v8H4ZM6 8V5.500a3 3 0 0 1 6 0V8" />,
  tick: <path d="m3 9.500 4 4 8-9" />,
  page: <path d="M4 2h7l3.500 3.500V16H4ZM11 2v3.500h3.500" />,
  phone: (
    <path d="M3 2.500h3.500L8 6.500 6 8c.8 1.800 2.200 3.200 4 4l1.500-2 4 1.500V15c0 .8-.7 1-1.500 1C7.500 15.500 2.500 10.500 2 4c0-.8.2-1.500 1-1.500Z" />
  ),
  offline: (
    <path d="M2 2l14 14M3 8a9 9 0 0 1 4-2.200M15 8a9 9 0 0 0-3-2M6 11a4.500 4.500 0 0 1 2.500-1.200M9 14h.1" />
  ),
  close: <path d="m4 4 10 10M14 4 4 14" />,
}
