import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** The machine on which the figures were measured. */
export function machineFacts(): Record<string, unknown> {
  const all = cpus()
  return {
    at: new Date().toISOString(),
    commit: commit(),
    cpu: `${all.length} × ${all[0]?.model ?? 'unknown'}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    /** Other processes on the machine lower every rate and make the ratios less certain. */
    loadAverageBefore: loadavg()[0],
  }
}

function commit(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
