/** More than a person writes by hand or a program needs; deeper nesting is an attack on recursive code. */
export const MAX_DEPTH = 20

/** JSON values, counting every member and element; `keys`: members of one object, by default as many. */
export type JsonLimit = Readonly<{ values: number; keys?: number }>

export type Excess = 'depth' | 'values' | 'keys'

/**
 * Counts the values of a JSON text without parsing it, and stops at the first limit that it exceeds: parsing 45,000
 * different keys, only to reject them, took as long as a thousand quotes. Invalid JSON is left to the parser. An empty
 * list or object counts as if it held one value.
 */
export function findExcess(text: Uint8Array, { values, keys = values }: JsonLimit): Excess | null {
  const members = new Int32Array(MAX_DEPTH + 2)
  const longStringEnd = makeLongStringEnd(text)
  let depth = 0
  let counted = 1
  // Whether the innermost container is an object; keys of a list are not counted.
  let isObject = false
  let kinds = 0
  const { length } = text
  for (let at = 0; at < length; at++) {
    const byte = text[at]!
    if (IS_MARK[byte] === 0) continue
    switch (byte) {
      case QUOTE: {
        const short = Math.min(length, at + 1 + SHORT)
        do at++
        while (at < short && IS_STRING_MARK[text[at]!] === 0)
        if (text[at] !== QUOTE) at = longStringEnd(at)
        break
      }
      case COMMA:
        if (++counted > values) return 'values'
        if (isObject && ++members[depth]! > keys) return 'keys'
        break
      case OBJECT:
      case LIST:
        if (++depth > MAX_DEPTH) return 'depth'
        if (++counted > values) return 'values'
        isObject = byte === OBJECT
        kinds = isObject ? kinds | (1 << depth) : kinds & ~(1 << depth)
        members[depth] = 1
        break
      case OBJECT_END:
      case LIST_END:
        if (--depth < 0) return null
        isObject = (kinds & (1 << depth)) !== 0
    }
  }
  return null
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/**
 * The bytes that matter outside strings and inside them: most bytes matter in neither, and one table lookup decides.
 */
const IS_MARK = marks([QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END])
const IS_STRING_MARK = marks([QUOTE, BACKSLASH])

function marks(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of bytes) table[byte] = 1
  return table
}

/** Longer strings are searched natively, which costs a call but is ten times as fast for each byte. */
const SHORT = 64

/**
 * Finds the closing quote of the string that contains `from`, or the end of the text. Positions must ascend from call
 * to call.
 */
function makeLongStringEnd(text: Uint8Array): (from: number) => number {
  // The next position of each byte is cached, so that no part of the text is searched twice for it.
  const backslashAfter = makeNextIndex(text, BACKSLASH)
  const quoteAfter = makeNextIndex(text, QUOTE)
  return (from) => {
    let at = from
    for (;;) {
      for (const end = Math.min(text.length, at + SHORT); at < end; at++) {
        const byte = text[at]
        if (byte === QUOTE) return at
        if (byte === BACKSLASH) at++
      }
      if (at >= text.length) return text.length
      at = Math.min(quoteAfter(at), backslashAfter(at))
    }
  }
}

function makeNextIndex(text: Uint8Array, byte: number): (at: number) => number {
  let next = -1
  return (at) => {
    if (next < at) next = text.indexOf(byte, at)
    if (next < 0) next = text.length
    return next
  }
}
