import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Registers a clean-up for the end of a run; the newest runs first. */
export type CleanUps = { after(end: () => unknown): void }

/** Runs the clean-ups at the end: after a failure, and when somebody stops the run by hand. */
export async function withCleanUps<T>(run: (cleanUps: CleanUps) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = []
  const end = async (): Promise<void> => {
    for (const one of ends.splice(0).reverse()) await one()
  }
  const onSignal = (): void => void end().finally(() => process.exit(130))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await run({ after: (one) => ends.push(one) })
  } finally {
    await end()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** The part, which stops at the end of the run. */
export function owned<T extends { stop(): unknown }>(cleanUps: CleanUps, part: T): T {
  cleanUps.after(() => part.stop())
  return part
}

/** A temporary folder that PostgreSQL can enter: root runs it as another user. */
export function temporaryHome(cleanUps: CleanUps): string {
  const home = mkdtempSync(join(tmpdir(), 'drover-harness-'))
  chmodSync(home, 0o755)
  cleanUps.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}
