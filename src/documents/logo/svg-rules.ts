/**
 * What a logo's SVG may contain. Everything else is left out: the list names what is safe to draw, so a new feature of
 * browsers is outside it.
 */

/** Elements that draw, group, or describe; and those that others refer to. */
export const ELEMENTS: ReadonlySet<string> = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'clipPath', 'mask'],
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan'],
  ...['linearGradient', 'radialGradient', 'stop'],
])

/** Elements of which only the content is kept: links, and the wrapper that Illustrator writes. */
export const UNWRAPPED: ReadonlySet<string> = new Set(['a', 'switch'])

/** Elements whose text is kept. */
export const TEXTUAL: ReadonlySet<string> = new Set(['text', 'tspan', 'title', 'desc'])

const NUMBERS = /^[\w\s.,+%-]*$/
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,eE+-]*\)[\s,]*)*$/
const KEYWORDS = /^[A-Za-z0-9 -]*$/
const COLOUR = '[a-z]+|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\\([\\w\\s.,%/+-]*\\)'
const LOCAL = 'url\\(#[\\w.:-]+\\)'
const PAINT = new RegExp(`^(?:${COLOUR}|${LOCAL}(?:\\s+(?:${COLOUR}))?)$`, 'i')
const LOCAL_REFERENCE = new RegExp(`^(?:none|${LOCAL})$`)
const NAME = /^[A-Za-z_][\w.:-]{0,99}$/

const named = (pattern: RegExp, names: string): [string, RegExp][] =>
  names.split(' ').map((name) => [name, pattern])

/** The attributes that are kept, and what their values look like. */
export const ATTRIBUTES: ReadonlyMap<string, RegExp> = new Map([
  ...named(NUMBERS, 'x y x1 x2 y1 y2 width height r rx ry cx cy fx fy fr dx dy d points offset pathLength'),
  ...named(NUMBERS, 'viewBox rotate textLength opacity fill-opacity stroke-opacity stop-opacity'),
  ...named(NUMBERS, 'stroke-width stroke-miterlimit stroke-dasharray stroke-dashoffset'),
  ...named(NUMBERS, 'font-size font-weight letter-spacing word-spacing'),
  ...named(TRANSFORM, 'transform gradientTransform'),
  ...named(PAINT, 'fill stroke color stop-color'),
  ...named(LOCAL_REFERENCE, 'clip-path mask'),
  ...named(KEYWORDS, 'fill-rule clip-rule stroke-linecap stroke-linejoin display visibility'),
  ...named(KEYWORDS, 'gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits mask-type'),
  ...named(KEYWORDS, 'preserveAspectRatio text-anchor font-style font-variant vector-effect'),
  ...named(/^[\w\s,'-]*$/, 'font-family'),
  ...named(NAME, 'id'),
  ...named(/^#[A-Za-z_][\w.:-]{0,99}$/, 'href'),
])

/** Properties that a style rule may set: presentation attributes, and no geometry. */
export function isStyleProperty(name: string): boolean {
  return STYLES.has(name)
}

const STYLES: ReadonlySet<string> = new Set(
  [...ATTRIBUTES.keys()].filter(
    (name) => name.includes('-') || ['fill', 'stroke', 'color', 'opacity', 'mask', 'display'].includes(name),
  ),
)

/** What editors add for themselves, and what changes nothing: it is left out without a word. */
export function isHarmless(name: string): boolean {
  return (
    name === 'style' ||
    name === 'class' ||
    name === 'version' ||
    name === 'metadata' ||
    name === 'baseProfile' ||
    name === 'role' ||
    /^(?:data-|aria-|xmlns|xml:|enable-background|shape-rendering|image-rendering|text-rendering|color-)/.test(
      name,
    ) ||
    (/^[a-z]+:/i.test(name) && !/^(?:xlink|svg|html|xhtml|ev):/i.test(name))
  )
}
