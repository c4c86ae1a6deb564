import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf } from '../scripts/program.mjs'

/**
 * What `drover` runs: the bundle, which starts in half the time, or the sources if there is no build.
 */
export const PROGRAM = programOf(dirname(dirname(fileURLToPath(import.meta.url))))

export type Ran = { code: number; out: string; err: string }

type Surroundings = { input?: string; env?: object; cwd?: string }

/** A command as people run it: a separate process, which reads `input`. `env` overrides ours; undefined removes. */
export function runProgram(
  args: readonly string[],
  { input = '', env = {}, cwd }: Surroundings = {},
): Promise<Ran> {
  const options = { env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    // A command that reads no input may have ended before the write.
    child.stdin?.on('error', () => {}).end(input)
  })
}
