import { NotAWholeImage } from '../photo/not-a-whole-image.ts'
import { strippedPng } from '../photo/png.ts'
import { sanitiseSvg } from './sanitise-svg.ts'
import { UnusableLogo } from './unusable-logo.ts'

/** A logo as it is stored and served: without metadata, and of an SVG only what draws. */
export type Logo = {
  mediaType: 'image/png' | 'image/svg+xml'
  bytes: Buffer
  width: number
  height: number
  /** What was left out of an SVG. */
  removed: string[]
}

/** Every version of the account keeps its logos: 48 KiB are 64 KiB as base64. */
const MAX_LOGO_BYTES = 48 * 1024
/** Pages show a logo 40 pixels high; screens have up to four dots a pixel. */
const MAX_PIXELS_OF_SIDE = 2_000
const MIN_PIXELS_OF_SIDE = 24
/** Longer ones are illegible in the header of a phone. */
const MAX_RATIO = 10

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Reads a PNG or an SVG by its content. Throws `UnusableLogo` with what to do. */
export function readLogo(file: Buffer): Logo {
  if (file.length === 0) throw new UnusableLogo('The file is empty. Choose a PNG or an SVG file.')
  const logo = file.subarray(0, PNG.length).equals(PNG) ? readPng(file) : readSvg(file)
  const { width, height } = logo
  if (Math.max(width / height, height / width) > MAX_RATIO)
    throw new UnusableLogo(
      `The logo is ${size(width)} × ${size(height)}, which is too narrow. The long side can be at most ${MAX_RATIO} times the short side.`,
    )
  if (logo.bytes.length > MAX_LOGO_BYTES)
    throw new UnusableLogo(
      `The logo is ${Math.ceil(logo.bytes.length / 1024)} KB. It can be at most ${MAX_LOGO_BYTES / 1024} KB: make it smaller, or save it as an SVG.`,
    )
  return logo
}

function readPng(file: Buffer): Logo {
  const bytes = toWholePng(file)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (Math.max(width, height) > MAX_PIXELS_OF_SIDE)
    throw new UnusableLogo(
      `The logo is ${width} × ${height} pixels. Save it with at most ${MAX_PIXELS_OF_SIDE} × ${MAX_PIXELS_OF_SIDE}.`,
    )
  if (Math.min(width, height) < MIN_PIXELS_OF_SIDE)
    throw new UnusableLogo(
      `The logo is ${width} × ${height} pixels: too small. Each side needs at least ${MIN_PIXELS_OF_SIDE}.`,
    )
  return { mediaType: 'image/png', bytes, width, height, removed: [] }
}

function toWholePng(file: Buffer): Buffer {
  try {
    return strippedPng(file)
  } catch (error) {
    if (!(error instanceof NotAWholeImage)) throw error
    throw new UnusableLogo('The PNG is damaged. Save it again and choose the new file.')
  }
}

/** Editors' own data is left out, and may be most of the file. */
const MAX_SVG_BYTES = 512 * 1024

function readSvg(file: Buffer): Logo {
  if (file.length > MAX_SVG_BYTES)
    throw new UnusableLogo('The file is too large. Save the logo as a small PNG or a simple SVG.')
  const text = toText(file)
  if (!/<svg[\s>]/.test(text))
    throw new UnusableLogo('The file is not a PNG or an SVG. Save the logo as one of them.')
  const { svg, ...rest } = sanitiseSvg(text)
  return { mediaType: 'image/svg+xml', bytes: Buffer.from(svg), ...rest }
}

function toText(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw new UnusableLogo('The file is not a PNG or an SVG. Save the logo as one of them.')
  }
}

function size(side: number): string {
  return String(Math.round(side))
}
