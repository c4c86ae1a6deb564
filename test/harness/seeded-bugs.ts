import type { App } from '../../src/bootstrap/composition-root.ts'
import { toNameOf } from './options.ts'
import { type Breach, namesOf } from './promises.ts'

/**
 * A seeded bug (mutant): a typical bug, injected around the product, whose own code contains none of them. A harness
 * that does not catch each of its bugs proves nothing about the product.
 */
export type SeededBug<PromiseName extends string = string> = {
  /** The promise that the bug must break. */
  breaks: PromiseName
  /** The text of the breach, if other faults of the run could break the same promise. */
  as?: RegExp
  /** Seeds the bug in a process before it starts. */
  worker?: (app: App) => void
  api?: (app: App) => void
}
export type Role = 'api' | 'worker'

/** The names of the command line. Throws for an unknown one. */
export function toSeededBugs<Name extends string>(
  bugs: Readonly<Record<Name, SeededBug>>,
  given: readonly string[],
): Name[] {
  return given.map((name) => toNameOf(namesOf(bugs), 'seeded bug', name))
}

/** Whether a process of this kind gets any of these bugs. */
export function hasSeededBug(role: Role, bugs: readonly SeededBug[]): boolean {
  return bugs.some((bug) => bug[role] !== undefined)
}

/** Reports whether the bug broke its own promise, with a text that no other bug causes. */
export function isCaught(
  name: string,
  { breaks, as = /./ }: SeededBug,
  breaches: readonly Breach[],
  injected = '',
): boolean {
  const breach = breaches.find(({ promise, text }) => promise === breaks && as.test(text))
  const missed = `not caught${injected}. Expected a breach of “${breaks}”.`
  console.error(breach ? `  ✔ ${name}: ${breach.text}` : `  ✖ ${name}: ${missed}`)
  return breach !== undefined
}
