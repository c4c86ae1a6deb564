import { execFileSync } from 'node:child_process'

/** Child processes that still run, the newest last. */
export function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number)
    return ppid === parent && pid ? [pid] : []
  })
}

/** The process may have ended already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}
