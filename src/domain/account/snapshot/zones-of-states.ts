import { zone } from '../../calendar/zone.ts'
import type { State } from '../../values.ts'

/** The time zones in use in each state, the usual one first. */
export const ZONES_OF: Readonly<Record<State, readonly [string, ...string[]]>> = {
  NSW: ['Australia/Sydney', 'Australia/Broken_Hill', 'Australia/Lord_Howe', 'Pacific/Norfolk'],
  VIC: ['Australia/Melbourne'],
  QLD: ['Australia/Brisbane', 'Australia/Lindeman'],
  SA: ['Australia/Adelaide'],
  WA: ['Australia/Perth', 'Australia/Eucla', 'Indian/Christmas', 'Indian/Cocos'],
  TAS: ['Australia/Hobart', 'Antarctica/Macquarie'],
  NT: ['Australia/Darwin'],
  ACT: ['Australia/Sydney'],
}

/** Also true for another name of the same zone (`Australia/ACT`), and for a zone that keeps the same time. */
export function isZoneOf(state: State, name: string): boolean {
  const asked = zone(name)
  return ZONES_OF[state].some((own) => sameTime(zone(own), asked))
}

function sameTime(a: ReturnType<typeof zone>, b: ReturnType<typeof zone>): boolean {
  return (
    a === b || (String(a.offsets) === String(b.offsets) && String(a.transitions) === String(b.transitions))
  )
}
