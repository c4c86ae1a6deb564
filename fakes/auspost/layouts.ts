import type { Network } from './products.ts'

/** Pages in dots, 8 to the millimetre, and where labels start on them. */
export type Sheet = {
  width: number
  height: number
  cells: readonly (readonly [x: number, y: number])[]
  networks: readonly Network[]
}

export const A6 = { width: 840, height: 1_184 }
const A4 = { width: 1_680, height: 2_376 }
const LANDSCAPE = { width: A4.height, height: A4.width }

const ONE = [[0, 0]] as const
const BOTH: readonly Network[] = ['auspost', 'startrack']

/** By name in lower case: clients in production write them either way. */
const LAYOUTS: Readonly<Record<string, Sheet>> = {
  'a4-1pp': { ...A4, cells: ONE, networks: BOTH },
  'a4-3pp': { ...A4, cells: column(3, 792), networks: ['auspost'] },
  'a4-4pp': { ...A4, cells: [...column(2, 1_188), ...column(2, 1_188, 840)], networks: BOTH },
  'a6-1pp': { ...A6, cells: ONE, networks: BOTH },
  'thermal-label-a6-1pp': { ...A6, cells: ONE, networks: BOTH },
  'a4-2pp': { ...A4, cells: column(2, 1_188), networks: ['startrack'] },
  'a4-1pp landscape': { ...LANDSCAPE, cells: ONE, networks: ['startrack'] },
  'a4-2pp landscape': { ...LANDSCAPE, cells: [...ONE, [1_188, 0]], networks: ['startrack'] },
}

export function layoutOf(name: string): Sheet | undefined {
  return LAYOUTS[name.toLowerCase()]
}

/** The groups that labels are requested by; products that are not listed are accepted. */
export const GROUPS: readonly string[] = [
  'Parcel Post',
  'Express Post',
  'StarTrack',
  'Startrack Courier',
  'On Demand',
  'International',
  'Commercial',
]

function column(count: number, step: number, x = 0): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [x, index * step] as const)
}
