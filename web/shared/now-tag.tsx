import { vars } from './vars.ts'

/**
 * The ear tag with the time, or a name; its neck is the line of the current time. `at` is a share of the axis, in
 * per cent.
 */
export function NowTag({ at, text }: { at: number; text: string }) {
  return (
    <div className="nowtag" style={vars({ a: at })} aria-hidden="true">
      <svg viewBox="0 0 62 34">
        <path
          d="M6 1h50a5 5 0 0 1 5 5v13a5 5 0 0 1-5 5H38l-4 6.500V32a3 3 0 0 1-6 0v-1.500L24 24H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5Z"
          fill="var(--tag)"
          stroke="var(--tag-edge)"
          strokeWidth="1.5"
        />
      </svg>
      <b>{text}</b>
    </div>
  )
}
