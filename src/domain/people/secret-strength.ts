import { COMMON_PASSWORDS } from './common-passwords.generated.ts'

/**
 * The building blocks of secrets that are not random. Longer ones first: `password` is one word, not `pass`
 * with more.
 */
const WORDS: readonly string[] = [
  ...COMMON_PASSWORDS.trim().split('\n'),
  ...'production australia melbourne changeme operator password delivery default example company private'.split(
    ' ',
  ),
  ...'welcome letmein drover secret sydney master admin token login live demo test pass ours key'.split(' '),
].sort((a, b) => b.length - a.length)

const KEYBOARD = ['`1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./']
const SHORTEST_RUN = 4

/** How hard a secret is to guess, and why it is easier than it looks. Never contains a character of the secret. */
export type SecretStrength = { bits: number; why: readonly string[] }

/**
 * An upper bound of a secret's entropy. Characters that follow from those before them count as nothing:
 * repeats, sequences, keyboard rows. Known words count as two characters. The rest is assumed to be random.
 */
export function secretStrength(secret: string): SecretStrength {
  const why: string[] = []
  let rest = secret
  for (const word of WORDS) {
    const at = rest.toLowerCase().indexOf(word)
    if (at < 0) continue
    // Two characters of the private use area replace the word: they are not part of any sequence.
    const mark = String.fromCharCode(
      0xe000 + ((word.length * 7) % 1_000),
      0xe800 + (word.charCodeAt(0) % 1_000),
    )
    rest = rest.slice(0, at) + mark + rest.slice(at + word.length)
    if (!why.includes(HOLDS_WORDS)) why.push(HOLDS_WORDS)
  }
  let free = 0
  for (let at = 0; at < rest.length; free++) {
    const length = predictableFrom(rest, at)
    if (length > 1 && !why.includes(REPEATS)) why.push(REPEATS)
    at += length
  }
  const bits = Math.floor(free * Math.log2(Math.max(1, Math.min(countAlphabet(rest), new Set(rest).size))))
  return { bits, why }
}

const HOLDS_WORDS = 'holds known words'
const REPEATS = 'repeats itself or follows a sequence'

/**
 * The number of characters from here that follow from those before them, or from the first of them; 1 if
 * there is no pattern.
 */
function predictableFrom(text: string, at: number): number {
  let longest = 1
  for (let from = 0; from < at; from++) {
    let length = 0
    while (at + length < text.length && text[from + length] === text[at + length]) length++
    longest = Math.max(longest, length >= SHORTEST_RUN ? length : 1)
  }
  for (const step of [0, 1, -1]) {
    let length = 1
    while (text.charCodeAt(at + length) - text.charCodeAt(at + length - 1) === step) length++
    longest = Math.max(longest, length >= SHORTEST_RUN ? length : 1)
  }
  for (const row of KEYBOARD) {
    let length = SHORTEST_RUN
    while (at + length <= text.length && row.includes(text.slice(at, at + length).toLowerCase())) length++
    longest = Math.max(longest, length > SHORTEST_RUN ? length - 1 : 1)
  }
  return longest
}

function countAlphabet(text: string): number {
  if (/^[0-9a-f]+$/i.test(text)) return 16
  const classes: [RegExp, number][] = [
    [/[0-9]/, 10],
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[^0-9a-zA-Z]/, 32],
  ]
  return classes.reduce((sum, [has, size]) => sum + (has.test(text) ? size : 0), 0)
}
