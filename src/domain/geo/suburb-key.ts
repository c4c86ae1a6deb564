/** Normalises the spelling of a suburb: `Mt. Stuart`, `MOUNT STUART` and `mount-stuart` have the same key. */
export function suburbKey(name: string): string {
  const upper = name.toUpperCase()
  const words = ABBREVIATED.test(upper)
    ? upper.replace(/\bMT\b/g, 'MOUNT').replace(/\bST\b/g, 'SAINT')
    : upper
  return words.replace(NOT_IN_KEY, '')
}

const ABBREVIATED = /\b(MT|ST)\b/
const NOT_IN_KEY = /[^A-Z0-9]+/g
