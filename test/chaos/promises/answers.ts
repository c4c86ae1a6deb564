import type { Evidence } from '../evidence.ts'
import { instructionsOf } from '../jobs.ts'

/** References are unique within an account. */
function nameOf({ account, reference }: { account: string; reference: string }): string {
  return `${account}/${reference}`
}

/**
 * Every create that returned 201 exists under its id, with the instructions that were last acknowledged; a cancellation
 * that returned 200 stays cancelled.
 */
export function acknowledgedAndKept({ jobs, history, deliveries }: Evidence): string[] {
  const jobOf = new Map(jobs.map((job) => [nameOf(job), job]))
  const found = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const acknowledged = history.filter(({ outcome }) => outcome === 'ok')
  const amended = new Set(acknowledged.filter(({ operation }) => operation === 'amend').map(nameOf))
  return acknowledged.flatMap((request) => {
    const { operation, reference, id } = request
    const delivery = found.get(id)
    if (operation === 'cancel' && delivery?.status !== 'cancelled')
      return [`the cancellation of ${reference} returned 200, but the delivery is ${delivery?.status}`]
    if (operation !== 'create') return []
    if (!delivery) return [`${reference} was acknowledged as ${id} and is lost`]
    const job = jobOf.get(nameOf(request))
    const expected = job && instructionsOf(job, amended.has(nameOf(request)))
    const { special_instructions: actual } = delivery
    return actual === expected
      ? []
      : [`${reference} says "${actual}", and was last acknowledged as "${expected}"`]
  })
}

/** A cancellation is accepted, or returns 409 because the delivery has a carrier; processes run until they are killed. */
export function answersAsDeclared({ history, wrong, endedByThemselves }: Evidence): string[] {
  const unexpected = history.flatMap(({ operation, reference, outcome, status, code }) =>
    operation === 'cancel' && outcome === 'rejected' && status !== 409
      ? [`cancel ${reference}: ${status} ${code}`]
      : [],
  )
  return [...wrong, ...unexpected, ...endedByThemselves]
}

/** An invalid request leaves no delivery, even if its outcome stayed unknown. */
export function refusedAndLeftNothing({ history, deliveries }: Evidence): string[] {
  const there = new Set(deliveries.map(({ account, reference }) => nameOf({ account, reference })))
  return history.flatMap(({ operation, outcome, account, reference, status, code, tries }) => {
    const name = `${operation} ${reference}: ${status} ${code}`
    if (outcome === 'unknown') return [`${name}, unknown after ${tries} tries`]
    if (operation === 'invalid' && outcome === 'ok') return [`${name}, although the request was invalid`]
    if (operation === 'invalid' && there.has(nameOf({ account, reference })))
      return [`${name}, and it left a delivery`]
    return []
  })
}

/** One key has one response, and a repeated create is not rejected as a duplicate of itself. */
export function oneKeyOneAnswer({ history }: Evidence): string[] {
  const answers = new Map<string, Set<string>>()
  const violations: string[] = []
  for (const request of history) {
    const { account, operation, reference, outcome, status, code, id } = request
    if (operation === 'create' && outcome === 'rejected')
      violations.push(`create ${reference} was rejected: ${status} ${code}`)
    if (operation === 'again' && outcome === 'ok')
      violations.push(`${reference} was created a second time as ${id}`)
    if (request.key === null || outcome === 'unknown') continue
    const name = `${account} ${request.key}`
    answers.set(name, (answers.get(name) ?? new Set()).add(`${status} ${id}`))
  }
  for (const [name, responses] of answers) {
    if (responses.size > 1) violations.push(`${name} got the responses ${[...responses].join(' and ')}`)
  }
  return violations
}

const ACTIONS = { create: 'createDelivery', amend: 'amendDelivery', cancel: 'requestCancel' } as const

/** Every change has an audit row; a create has exactly one, however often it was sent. */
export function writtenInTheAuditLog({ history, audit, deliveries }: Evidence): string[] {
  const rows = new Map<string, number>()
  for (const { account, action, object } of audit) {
    const name = `${account} ${action} ${object}`
    rows.set(name, (rows.get(name) ?? 0) + 1)
  }
  const idOf = new Map(deliveries.map(({ account, reference, id }) => [nameOf({ account, reference }), id]))
  return history.flatMap(({ account, operation, outcome, reference }) => {
    if (outcome !== 'ok' || !(operation in ACTIONS)) return []
    const action = ACTIONS[operation as keyof typeof ACTIONS]
    const count = rows.get(`${account} ${action} ${idOf.get(nameOf({ account, reference }))}`) ?? 0
    const enough = operation === 'create' ? count === 1 : count >= 1
    return enough ? [] : [`${operation} ${reference} was acknowledged and has ${count} rows`]
  })
}
