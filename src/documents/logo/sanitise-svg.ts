import { Parser } from 'saxen'
import { ATTRIBUTES, ELEMENTS, isHarmless, isStyleProperty, TEXTUAL, UNWRAPPED } from './svg-rules.ts'
import { UnusableLogo } from './unusable-logo.ts'

/** An SVG that draws and does nothing else. `removed`: what was left out, such as `<script>` or `onload`. */
type SafeSvg = { svg: string; width: number; height: number; removed: string[] }

/**
 * An allow-list sanitiser: it parses the file as XML, keeps the elements and attributes of `svg-rules.ts`, and writes a new
 * file from them. Nothing of the given text is copied without its rule, so that what a browser and this parser would
 * read differently cannot pass. Style rules become attributes. What it returns, it returns again unchanged.
 *
 * Throws `UnusableLogo`.
 */
export function sanitiseSvg(text: string): SafeSvg {
  // A file can define its own entities, which expand without end.
  if (/<!ENTITY/i.test(text))
    throw new UnusableLogo('The SVG defines its own entities. Export it again as “Plain SVG” or “SVG 1.1”.')
  const { root, styles, removed } = readTree(text)
  applyStyles(root, styles, removed)
  dropDeepReferences(root, removed)
  const { width, height } = setSize(root)
  return { svg: written(root), width, height, removed: [...removed].sort() }
}

type Element = {
  name: string
  attributes: Map<string, string>
  classes: ReadonlySet<string>
  style: string
  children: Node[]
}
type Node = Element | string

const MAX_ELEMENTS = 3_000
const MAX_DEPTH = 60
const MAX_USES = 50

function readTree(text: string): { root: Element; styles: string; removed: Set<string> } {
  const removed = new Set<string>()
  const open: Element[] = []
  const found: { root: Element | null; styles: string } = { root: null, styles: '' }
  let inStyle = false
  let count = 0
  /** How many elements are open below the one that is left out. */
  let skipped = 0
  const leaveOut = (name: string) => {
    if (!isHarmless(name)) removed.add(`<${name}>`)
    skipped = 1
  }
  const parser = new Parser()
  parser.on('openTag', (name, attrs, decode) => {
    if (skipped > 0) skipped += 1
    else if (name === 'style') {
      inStyle = true
      skipped = 1
    } else if (UNWRAPPED.has(name) && open.length > 0) open.push(open.at(-1)!)
    else if (!ELEMENTS.has(name) || (name === 'svg') !== (found.root === null)) {
      if (found.root === null) throw new UnusableLogo('The file is not an SVG. Choose a PNG or an SVG file.')
      leaveOut(name)
    } else {
      const element = toElement(name, attrs(), decode, removed)
      open.at(-1)?.children.push(element)
      found.root ??= element
      open.push(element)
      count += 1
      if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw tooComplex()
    }
  })
  parser.on('closeTag', () => {
    if (skipped > 0) skipped -= 1
    else open.pop()
    if (skipped === 0) inStyle = false
  })
  const addText = (words: string) => {
    if (inStyle) found.styles += words
    else if (skipped === 0 && TEXTUAL.has(open.at(-1)?.name ?? '')) open.at(-1)?.children.push(words)
  }
  parser.on('text', (words, decode) => addText(decode(words)))
  parser.on('cdata', addText)
  parser.on('error', () => {
    throw new UnusableLogo('The SVG is damaged. Export it again, or save it as PNG.')
  })
  parser.parse(text)
  const { root, styles } = found
  if (root === null || open.length > 0)
    throw new UnusableLogo('The SVG is damaged. Export it again, or save it as PNG.')
  return { root, styles, removed }
}

function tooComplex(): UnusableLogo {
  return new UnusableLogo('The SVG is too complex for a logo. Simplify it, or save it as PNG.')
}

function toElement(
  name: string,
  given: Readonly<Record<string, string>>,
  decode: (text: string) => string,
  removed: Set<string>,
): Element {
  const attributes = new Map<string, string>()
  let [style, classes]: [string, ReadonlySet<string>] = ['', new Set()]
  for (const [key, raw] of Object.entries(given)) {
    const value = clean(decode(raw))
    // The old name of `href`.
    const attribute = key === 'xlink:href' ? 'href' : key
    if (key === 'style') style = value
    else if (key === 'class') classes = new Set(value.split(' '))
    else if (isAllowed(name, attribute, value)) attributes.set(attribute, value)
    else if (!isHarmless(key)) removed.add(key)
  }
  return { name, attributes, classes, style, children: [] }
}

function isAllowed(element: string, attribute: string, value: string): boolean {
  if (attribute === 'href' && !['use', 'linearGradient', 'radialGradient'].includes(element)) return false
  return ATTRIBUTES.get(attribute)?.test(value) === true
}

/** XML's white space is a blank; characters that XML does not allow are left out. */
function clean(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '')
    .trim()
}

/** Illustrator writes colours as classes: `.cls-1{fill:#fff}`. Rules of classes and tags become attributes. */
function applyStyles(root: Element, styles: string, removed: Set<string>): void {
  const rules = listRules(styles, removed)
  let characters = 0
  for (const element of elementsIn(root)) {
    const matching = rules.filter(({ selector }) =>
      selector.startsWith('.') ? element.classes.has(selector.slice(1)) : element.name === selector,
    )
    // A class wins over a tag, and the element's own style over both.
    const ranked = [
      ...matching.filter(({ selector }) => !selector.startsWith('.')),
      ...matching.filter(({ selector }) => selector.startsWith('.')),
    ]
    for (const style of [...ranked.map((rule) => rule.style), readStyle(element.style)]) {
      if (style.isUnsafe) removed.add('a style rule')
      for (const [name, value] of style.attributes) {
        characters += name.length + value.length
        if (characters > MAX_STYLED_CHARACTERS) throw tooComplex()
        element.attributes.set(name, value)
      }
    }
  }
}

/**
 * Characters in all attributes that styles set: enough for 90,000 such as `fill="#17513f"`. Each of 200 rules can match
 * each of 3,000 elements, and a value can have 19,000 characters.
 */
const MAX_STYLED_CHARACTERS = 1_000_000

type Style = {
  attributes: ReadonlyMap<string, string>
  /** Whether a declaration was left out because it could load or run something. */
  isUnsafe: boolean
}

/** Reads each rule once, so that the elements it matches only copy its attributes. */
function listRules(styles: string, removed: Set<string>): { selector: string; style: Style }[] {
  if (styles.length > MAX_STYLE_CHARACTERS) throw tooComplex()
  const plain = styles.replace(/\/\*[\s\S]*?\*\//g, ' ')
  if (/@|\\/.test(plain)) removed.add('a style rule')
  // An at-rule ends the reading: what follows it may belong to it.
  const [readable = ''] = plain.split(/[@\\]/)
  const rules = readable.split('}').flatMap((rule) => {
    const [selectors = '', declarations = ''] = rule.split('{')
    const style = readStyle(declarations)
    const named = selectors
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => /^\.?[A-Za-z_][\w-]*$/.test(selector))
    return [...new Set(named)].map((selector) => ({ selector, style }))
  })
  if (rules.length > MAX_RULES) throw tooComplex()
  return rules
}

const MAX_STYLE_CHARACTERS = 20_000
const MAX_RULES = 200

function readStyle(declarations: string): Style {
  const attributes = new Map<string, string>()
  let isUnsafe = false
  for (const declaration of declarations.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim()
    const value = clean(declaration.slice(colon + 1).replace(/!important/, '')).replace(
      // Editors write url("#a").
      /url\((["'])(#[\w.:-]+)\1\)/g,
      'url($2)',
    )
    if (isStyleProperty(name) && ATTRIBUTES.get(name)?.test(value)) attributes.set(name, value)
    else if (/url|script|expression|import|binding|behavior/i.test(declaration)) isUnsafe = true
  }
  return { attributes, isUnsafe }
}

/**
 * References that refer to references can double with each step: `<use>` of a group of `<use>`, masks in masks. A use may
 * refer to an element without uses, and what is inside a mask or clip only to plain shapes.
 */
function dropDeepReferences(root: Element, removed: Set<string>): void {
  const byId = new Map<string, Element>()
  for (const element of elementsIn(root)) {
    const id = element.attributes.get('id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
  }
  const depthOf = toReferenceDepths(root)
  let uses = 0
  const visit = (element: Element, isInMask: boolean): void => {
    if (isInMask) {
      for (const name of ['mask', 'clip-path']) if (element.attributes.delete(name)) removed.add(name)
    }
    element.children = element.children.filter((child) => {
      if (typeof child === 'string' || child.name !== 'use') return true
      const target = byId.get(child.attributes.get('href')?.slice(1) ?? '')
      const depth = target && depthOf.get(target)
      const isKept = depth === 'nothing' || (depth === 'masks' && !isInMask)
      uses += 1
      if (isKept && uses <= MAX_USES) return true
      removed.add('<use>')
      return false
    })
    for (const child of element.children) {
      if (typeof child !== 'string') visit(child, isInMask || MASKS.has(element.name))
    }
  }
  visit(root, false)
  if (countDrawn(root, byId) > MAX_DRAWN) throw tooComplex()
}

type ReferenceDepth = 'nothing' | 'masks' | 'uses'

/** What each element, with the elements inside it, refers to. */
function toReferenceDepths(root: Element): Map<Element, ReferenceDepth> {
  const depthOf = new Map<Element, ReferenceDepth>()
  const visit = (element: Element): ReferenceDepth => {
    const { name, attributes } = element
    const depths = element.children.filter((child) => typeof child !== 'string').map(visit)
    const hasMask = attributes.has('mask') || attributes.has('clip-path') || depths.includes('masks')
    const depth = name === 'use' || depths.includes('uses') ? 'uses' : hasMask ? 'masks' : 'nothing'
    depthOf.set(element, depth)
    return depth
  }
  visit(root)
  return depthOf
}

/** How many elements a browser draws: those that a use, mask or clip refers to count again for each reference. */
function countDrawn(root: Element, byId: ReadonlyMap<string, Element>): number {
  const counts = new Map<Element, number>()
  const visit = (element: Element): number => {
    const known = counts.get(element)
    if (known !== undefined) return known
    // A mask may refer to itself.
    counts.set(element, 1)
    const { href, mask, 'clip-path': clip } = Object.fromEntries(element.attributes)
    const ids = [element.name === 'use' ? href?.slice(1) : '', mask?.slice(5, -1), clip?.slice(5, -1)]
    const targets = ids.flatMap((id) => byId.get(id ?? '') ?? [])
    const children = element.children.filter((child) => typeof child !== 'string')
    const count = [...children, ...targets].reduce((sum, one) => sum + visit(one), 1)
    counts.set(element, count)
    return count
  }
  return visit(root)
}

/** Ten times `MAX_ELEMENTS`: 50 uses of 1,000 masked shapes, with a mask of 1,000 shapes, would draw 50 million. */
const MAX_DRAWN = 30_000

const MASKS: ReadonlySet<string> = new Set(['mask', 'clipPath'])

/** The drawing's own size, which a page needs to scale it. */
function setSize(root: Element): { width: number; height: number } {
  const numbers = (root.attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const side = (name: string) => {
    const [, number] = /^\+?([\d.]+)(?:px)?$/.exec(root.attributes.get(name) ?? '') ?? []
    return Number(number)
  }
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite)
  const [x, y, width, height] = isBox ? (numbers as Box) : ([0, 0, side('width'), side('height')] as Box)
  if (!(width > 0 && height > 0))
    throw new UnusableLogo('The SVG has no size. Export it again with a width and a height.')
  for (const name of ['x', 'y']) root.attributes.delete(name)
  root.attributes.set('viewBox', `${x} ${y} ${width} ${height}`)
  root.attributes.set('width', String(width))
  root.attributes.set('height', String(height))
  return { width, height }
}

type Box = [number, number, number, number]

function* elementsIn(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* elementsIn(child)
}

function written(root: Element): string {
  root.attributes = new Map([['xmlns', 'http://www.w3.org/2000/svg'], ...root.attributes])
  return markup(root)
}

function markup(node: Node): string {
  if (typeof node === 'string') return escaped(node.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' '))
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  const content = node.children.map(markup).join('')
  return content === ''
    ? `<${node.name}${attributes}/>`
    : `<${node.name}${attributes}>${content}</${node.name}>`
}

function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
