import { readFileSync } from 'node:fs'

/** What the system says of a process. */
export type ProcessFigures = { cpuMs: number; memoryMb: number }

/** Linux counts a process's time in hundredths of a second (proc(5), USER_HZ). */
const TICK_MS = 10

/** CPU time so far and memory now (resident), of any process; null where the system is not Linux. */
export function processFigures(pid: number): ProcessFigures | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const memoryKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, memoryMb: memoryKb / 1024 }
}
