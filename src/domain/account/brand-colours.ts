/** A brand's band on public pages: its background colour and its text colour. `#rrggbb`. */
export type BandColours = { band: string; text: string }

/**
 * The colours of a brand's band. Text is white or ink, whichever has more contrast. If neither reaches 4.5:1
 * (WCAG 2.2, 1.4.3), the band is darkened until white does. A brand without a colour gets Drover's.
 */
export function bandColours(colour: string | null): BandColours {
  let [red, green, blue] = parseHex(colour ?? OUR_BAND)
  for (;;) {
    const band = toHex(red, green, blue)
    const text = contrast(band, WHITE) >= contrast(band, INK) ? WHITE : INK
    if (contrast(band, text) >= LEGIBLE) return { band, text }
    ;[red, green, blue] = [red * 0.97, green * 0.97, blue * 0.97]
  }
}

/** How legible white and near-black text are on a colour, and the colour of least change on which one of them is. */
type ColourCheck = { white: number; ink: number; isLegible: boolean; nearest: string }

/** `colour`: `#rrggbb`. Legible: 4.5:1 or more (WCAG 2.2, 1.4.3). */
export function checkColour(colour: string): ColourCheck {
  const [white, ink] = [contrast(colour, WHITE), contrast(colour, INK)]
  return { white, ink, isLegible: Math.max(white, ink) >= LEGIBLE, nearest: nearestLegible(colour) }
}

/** Darker or lighter, whichever comes first: in steps of a hundredth. */
function nearestLegible(colour: string): string {
  const parts = parseHex(colour)
  for (let step = 0; step <= 100; step++) {
    const darker = toHex(...(parts.map((part) => part * (1 - step / 100)) as typeof parts))
    const lighter = toHex(...(parts.map((part) => part + (255 - part) * (step / 100)) as typeof parts))
    if (contrast(darker, WHITE) >= LEGIBLE) return darker
    if (contrast(lighter, INK) >= LEGIBLE) return lighter
  }
  return OUR_BAND
}

/** The contrast ratio of two colours by WCAG 2: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const LEGIBLE = 4.5
const OUR_BAND = '#1b2024'
const INK = '#15181b'
const WHITE = '#ffffff'

function luminance(colour: string): number {
  const [red, green, blue] = parseHex(colour).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parseHex(colour: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number]
}

function toHex(...parts: [number, number, number]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}
