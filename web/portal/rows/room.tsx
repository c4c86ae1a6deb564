import { vars } from '../../shared/vars.ts'

/** The room of rows that are not drawn. */
export function Room({ px }: { px: number }) {
  return <li className="room" style={vars({ h: px })} aria-hidden="true" />
}
