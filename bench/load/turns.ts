import { EARLIER, NUMBER } from './load.ts'

/** Turns after which a request's resource exists. */
const LAG = 500

/** Sends the requests in turn, each with its number. */
export function turnsOf(requests: readonly string[]): () => string {
  const pieces = requests.map((request) => request.split(PLACES))
  let sent = 0
  return () => {
    const turn = Math.floor(sent / requests.length)
    const own = pieces[sent++ % requests.length] as string[]
    return own
      .map((piece) => (piece === NUMBER ? digits(turn) : piece === EARLIER ? digits(turn - LAG) : piece))
      .join('')
  }
}

const PLACES = new RegExp(`(${NUMBER}|${EARLIER})`)

function digits(turn: number): string {
  return String(Math.max(0, turn)).padStart(NUMBER.length, '0')
}
