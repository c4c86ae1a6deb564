import { vars } from '../../shared/vars.ts'

/** A spacer for rows that are not rendered. */
export function Spacer({ px }: { px: number }) {
  return <li className="room" style={vars({ h: px })} aria-hidden="true" />
}
