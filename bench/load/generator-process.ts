import { answerParent } from '../environment/child.ts'
import { type Connection, openConnection } from './connection.ts'
import { ADDRESS, type Load, type LoadResult, NUMBER, type Offer } from './load.ts'
import { offer } from './offer.ts'

answerParent(async (asked: Load | Offer) => ('perSecond' in asked ? offer(asked) : run(asked)))

/** Throws at the first response with an unexpected status: a run with errors gives no valid figure. */
async function run(load: Load): Promise<LoadResult> {
  const { host, port, connections: count, until, status: wanted, warmUpMs = 0 } = load
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(host, port)))
  const nextRequest = requestsOf(load)
  const beganMs = performance.now()
  const measureFromMs = beganMs + warmUpMs
  const lastMs = 'durationMs' in until ? measureFromMs + until.durationMs : Number.POSITIVE_INFINITY
  let left = 'requests' in until ? until.requests : Number.POSITIVE_INFINITY
  let allRequests = 0
  const tookMs: number[] = []

  const keepAsking = async (connection: Connection): Promise<void> => {
    let askedMs = performance.now()
    while (askedMs < lastMs && left-- > 0) {
      const { status, body } = await connection.ask(nextRequest())
      const isWanted = wanted === undefined ? status >= 200 && status < 300 : status === wanted
      if (!isWanted) throw new Error(`Answered ${status}: ${body}`)
      const answeredMs = performance.now()
      allRequests += 1
      if (answeredMs >= measureFromMs && answeredMs <= lastMs) tookMs.push(answeredMs - askedMs)
      askedMs = answeredMs
    }
  }
  try {
    await Promise.all(connections.map(keepAsking))
  } finally {
    for (const connection of connections) connection.close()
  }
  const seconds = (Math.min(performance.now(), lastMs) - measureFromMs) / 1_000
  tookMs.sort((a, b) => a - b)
  return {
    requests: tookMs.length,
    allRequests,
    seconds,
    p50Ms: tookMs[Math.floor(tookMs.length * 0.5)] ?? Number.NaN,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)] ?? Number.NaN,
  }
}

function requestsOf({ request, numbers = { from: 0, count: 1e10 } }: Load): () => Buffer | string {
  if (request.includes(ADDRESS)) return addressedRequests(request)
  const pieces = request.split(NUMBER)
  if (pieces.length === 1) {
    const bytes = Buffer.from(request, 'latin1')
    return () => bytes
  }
  let n = 0
  return () => pieces.join(String(numbers.from + (n++ % numbers.count)).padStart(NUMBER.length, '0'))
}

/** The body, which may be long, is converted to bytes once. */
function addressedRequests(request: string): () => Buffer {
  const [before = '', after = ''] = request.split(ADDRESS)
  const rest = Buffer.from(after, 'latin1')
  let n = 0
  return () => {
    const address = `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n++ & 255}`
    return Buffer.concat([Buffer.from(before + address, 'latin1'), rest])
  }
}
