/** How long one turn of an event loop blocked all other requests. */
export type Pause = {
  wallMs: number
  /** CPU time of the thread meanwhile; the rest is other work of the machine, or waiting for other threads. */
  cpuMs: number
}

const TICK_MS = 1

/** A timer of one millisecond: a tick is late by as long as the event loop is busy. */
export class PauseProbe {
  #timer: NodeJS.Timeout | null = null
  #longest: Pause = NO_PAUSE
  #before = now()

  begin(): void {
    this.#longest = NO_PAUSE
    this.#before = now()
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  /** The longest pause since `begin`, by CPU time and by the clock, each separately. */
  async end(): Promise<Pause> {
    // The current turn counts too.
    await new Promise((done) => setTimeout(done, 2 * TICK_MS))
    this.#tick()
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    return this.#longest
  }

  #tick(): void {
    const after = now()
    this.#longest = {
      wallMs: Math.max(this.#longest.wallMs, after.wallMs - this.#before.wallMs),
      cpuMs: Math.max(this.#longest.cpuMs, after.cpuMs - this.#before.cpuMs),
    }
    this.#before = after
  }
}

const NO_PAUSE: Pause = { wallMs: 0, cpuMs: 0 }

function now(): Pause {
  const { user, system } = process.threadCpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1_000 }
}
