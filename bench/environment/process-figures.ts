import { readFileSync } from 'node:fs'

/** Process figures from the operating system. */
export type ProcessFigures = { cpuMs: number; memoryMb: number }

/** Linux counts a process's time in hundredths of a second (proc(5), USER_HZ). */
const TICK_MS = 10

/** CPU time so far and resident memory of a process; null on systems other than Linux. */
export function processFigures(pid: number): ProcessFigures | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const memoryKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memoryMb: memoryKb / 1024 }
}
