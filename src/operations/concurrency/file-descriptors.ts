import { readFileSync } from 'node:fs'

/** File descriptors that this process may have open; a very large number where the system does not report it. */
export function fileDescriptors(): number {
  if (process.platform !== 'linux') return Number.MAX_SAFE_INTEGER
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Number.MAX_SAFE_INTEGER : Number(soft)
}
