import { spawn } from 'node:child_process'
import { availableParallelism, setPriority } from 'node:os'

/** Runs `work` while `perCore` processes for each core keep it busy, at this priority (see nice(1)). */
export async function withBurners(
  { perCore, nice }: { perCore: number; nice: number },
  work: () => Promise<void>,
): Promise<void> {
  const burners = Array.from({ length: perCore * availableParallelism() }, () => {
    // A burner ends by itself when this process ends, because its standard input closes.
    const burner = spawn(process.execPath, ['-e', BURN], { stdio: ['pipe', 'ignore', 'ignore'] })
    if (burner.pid && nice !== 0) setPriority(burner.pid, nice)
    return burner
  })
  try {
    await work()
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
  }
}

const BURN = `
process.stdin.on('end', () => process.exit()).resume()
const burn = () => {
  const untilMs = performance.now() + 100
  while (performance.now() < untilMs) {}
  setImmediate(burn)
}
burn()`
