import type { Logger } from 'pino'

/** Something that is thrown away after its time: does one small share and answers how much. */
export type Chore = { name: string; share(): Promise<number> }

const EVERY_MS = 10 * 60_000
/** Spread over the first minute, so that processes started together do not sweep together. */
const FIRST_MS = 60_000

/** Does every chore now and then until the answered function is called; each is repeated while it finds something. */
export function keepHouse(chores: readonly Chore[], log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  const sweep = async (): Promise<void> => {
    for (const { name, share } of chores) {
      try {
        while ((await share()) > 0 && timer) {}
      } catch (error) {
        log.warn({ err: error, chore: name }, 'a chore could not be done')
      }
    }
    if (timer) timer = setTimeout(() => void sweep(), EVERY_MS).unref()
  }
  timer = setTimeout(() => void sweep(), Math.random() * FIRST_MS).unref()
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
