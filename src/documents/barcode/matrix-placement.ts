/** The source of each module's bit in a DataMatrix: codeword × 8 + bit, or one of the two constants below. */
export type Placement = Int16Array
const LIGHT = -2
const DARK = -1

/** Row and column offsets from the corner of a codeword's shape to each of its bits, the highest first. */
const SHAPE: readonly [number, number][] = [
  [-2, -2],
  [-2, -1],
  [-1, -2],
  [-1, -1],
  [-1, 0],
  [0, -2],
  [0, -1],
  [0, 0],
]

/** The four shapes that are split across corners; a negative position counts from the far edge. */
const CORNERS: readonly (readonly [number, number][])[] = [
  [
    [-1, 0],
    [-1, 1],
    [-1, 2],
    [0, -2],
    [0, -1],
    [1, -1],
    [2, -1],
    [3, -1],
  ],
  [
    [-3, 0],
    [-2, 0],
    [-1, 0],
    [0, -4],
    [0, -3],
    [0, -2],
    [0, -1],
    [1, -1],
  ],
  [
    [-3, 0],
    [-2, 0],
    [-1, 0],
    [0, -2],
    [0, -1],
    [1, -1],
    [2, -1],
    [3, -1],
  ],
  [
    [-1, 0],
    [-1, -1],
    [0, -3],
    [0, -2],
    [0, -1],
    [1, -3],
    [1, -2],
    [1, -1],
  ],
]

/** The diagonal walk of ISO/IEC 16022, annex F, over a square of `side` modules (without finder patterns). */
export function placement(side: number): Placement {
  const places = new Int16Array(side * side).fill(LIGHT)
  const isFree = (row: number, column: number) => places[row * side + column] === LIGHT
  let word = 0

  const shape = (row: number, column: number) => {
    for (const [bit, [down, right]] of SHAPE.entries()) {
      let [r, c] = [row + down, column + right]
      if (r < 0) [r, c] = [r + side, c + 4 - ((side + 4) % 8)]
      if (c < 0) [r, c] = [r + 4 - ((side + 4) % 8), c + side]
      places[r * side + c] = word * 8 + bit
    }
    word++
  }
  const corner = (index: number) => {
    for (const [bit, [row, column]] of CORNERS[index]!.entries()) {
      places[((row + side) % side) * side + ((column + side) % side)] = word * 8 + bit
    }
    word++
  }

  let [row, column] = [4, 0]
  do {
    if (row === side && column === 0) corner(0)
    if (row === side - 2 && column === 0 && side % 4 !== 0) corner(1)
    if (row === side - 2 && column === 0 && side % 8 === 4) corner(2)
    if (row === side + 4 && column === 2 && side % 8 === 0) corner(3)
    for (; row >= 0 && column < side; row -= 2, column += 2) {
      if (row < side && column >= 0 && isFree(row, column)) shape(row, column)
    }
    ;[row, column] = [row + 1, column + 3]
    for (; row < side && column >= 0; row += 2, column -= 2) {
      if (row >= 0 && column < side && isFree(row, column)) shape(row, column)
    }
    ;[row, column] = [row + 3, column + 1]
  } while (row < side || column < side)

  if (isFree(side - 1, side - 1)) places[side * side - 1] = places[side * side - side - 2] = DARK
  return places
}

/** The bit of a module, from the placed codewords. */
export function bitOf(place: number, words: readonly number[]): 0 | 1 {
  if (place < 0) return place === DARK ? 1 : 0
  return ((words[place >> 3]! >> (7 - (place & 7))) & 1) as 0 | 1
}
