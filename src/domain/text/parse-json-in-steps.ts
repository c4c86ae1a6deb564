/** A container that is put together from several pieces. */
type Open = {
  isList: boolean
  value: unknown[] | Record<string, unknown>
  /** The name of this value in the object around it; null in a list, and for the whole text. */
  key: string | null
  /** The first character that is not parsed yet. */
  from: number
  /** The last member was a container with pieces of its own: only a comma or the end may follow. */
  isAfterMember: boolean
}

/** Parsing this many characters takes about half a millisecond. */
const PIECE = 64 * 1024
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Cooperative parsing: the value of `JSON.parse`, which parses the text piece by piece. It yields after each piece, so that
 * its caller can let other work run. Throws a SyntaxError for the same texts as `JSON.parse`. The caller limits the depth.
 */
export function* parseJsonInSteps(text: string, piece = PIECE): Generator<void, unknown> {
  const root = text.search(/[^ \t\n\r]/)
  if (text.length <= piece || !isStart(text.charCodeAt(root))) return JSON.parse(text)
  const stack: Open[] = []
  let top = opened(text, root, null)
  /** Containers within `top` that are still part of one piece, the first of them, and the member that it belongs to. */
  let depth = 0
  let child = 0
  let member = root + 1
  for (let at = root + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if (code === LIST || code === OBJECT) {
      if (depth++ === 0) child = at
    } else if (depth > 0) {
      if (code === LIST_END || code === OBJECT_END) depth--
    } else if (code === COMMA) {
      if (at - top.from >= piece || top.isAfterMember) {
        addMembers(top, text, at)
        top.from = at + 1
        yield
      }
      member = at + 1
    } else if (code === LIST_END || code === OBJECT_END) {
      if (top.isList !== (code === LIST_END)) throw notJson(at)
      if (!isEmpty(top) || !isBlank(text.slice(top.from, at))) addMembers(top, text, at)
      yield
      const { key, value } = top
      const around = stack.pop()
      if (!around) {
        if (!isBlank(text.slice(at + 1))) throw notJson(at + 1)
        return value
      }
      top = around
      addMember(top, key, value)
      top.isAfterMember = true
      top.from = at + 1
    }
    if (depth > 0 && at - child > piece) {
      // Too long for one piece: the text before it is parsed now, and it gets its own steps.
      if (member > top.from) addMembers(top, text, member - 1)
      else if (top.isAfterMember) throw notJson(member)
      const name = parseName(top, text.slice(member, child))
      stack.push(top)
      top = opened(text, child, name)
      ;[at, member, depth] = [child, child + 1, 0]
      yield
    }
  }
  throw notJson(text.length)
}

function isStart(code: number): boolean {
  return code === LIST || code === OBJECT
}

function opened(text: string, at: number, key: string | null): Open {
  const isList = text.charCodeAt(at) === LIST
  return { isList, value: isList ? [] : {}, key, from: at + 1, isAfterMember: false }
}

function isEmpty({ value, isAfterMember }: Open): boolean {
  if (isAfterMember) return false
  for (const _ in value) return false
  return true
}

/** Parses the text between the first unparsed character and `end`, at a comma or at the container's end. */
function addMembers(open: Open, text: string, end: number): void {
  const piece = text.slice(open.from, end)
  if (isBlank(piece) !== open.isAfterMember) throw notJson(end)
  open.isAfterMember = false
  if (isBlank(piece)) return
  if (open.isList) for (const value of JSON.parse(`[${piece}]`)) addMember(open, null, value)
  else for (const [key, value] of Object.entries(JSON.parse(`{${piece}}`))) addMember(open, key, value)
}

function addMember({ value: container }: Open, key: string | null, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  else if (key === '__proto__')
    Object.defineProperty(container, key, { value, configurable: true, enumerable: true, writable: true })
  else container[key as string] = value
}

/** The name of the member whose value begins after `before`. */
function parseName({ isList }: Open, before: string): string | null {
  if (!isList) return Object.keys(JSON.parse(`{${before}null}`))[0] as string
  if (!isBlank(before)) throw notJson(0)
  return null
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text)
}

/** The closing quote of the string that begins at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
  }
  return text.length
}

function notJson(position: number): SyntaxError {
  return new SyntaxError(`The text is not JSON at position ${position}`)
}
