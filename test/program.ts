import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf } from '../scripts/program.mjs'

/** What `drover` runs: the sources as one bundle, which starts in half the time, or the sources where none was built. */
export const PROGRAM = programOf(dirname(dirname(fileURLToPath(import.meta.url))))

export type Ran = { code: number; out: string; err: string }

type Surroundings = { input?: string; env?: object; cwd?: string }

/** A command as people run it: a process of its own, which reads `input`. `env` goes over ours; undefined takes away. */
export function runProgram(
  args: readonly string[],
  { input = '', env = {}, cwd }: Surroundings = {},
): Promise<Ran> {
  const options = { env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    // Whoever has nothing to read may be gone before it is written.
    child.stdin?.on('error', () => {}).end(input)
  })
}
