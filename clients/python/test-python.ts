import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'

const PYTHON = process.env.TEST_PYTHON ?? 'python3'
const SUPPORTED = 'import sys; assert sys.version_info >= (3, 10); import httpx'

/** Why the tests of the Python client are skipped; false if they can run. Tests download nothing. */
export const skip: string | false =
  spawnSync(PYTHON, ['-c', SUPPORTED]).status === 0
    ? false
    : `${PYTHON} is not Python 3.10 or newer with httpx. Set TEST_PYTHON to one that is.`

export type PythonProcess = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  lines: Interface
  /** Its output, once it has ended; rejects with it if it failed. */
  ended: Promise<string>
}

/** `python -m <arguments>` in this folder, with the client on its path; it ends with the test. */
export function startPython(t: TestContext, args: readonly string[], env = {}): PythonProcess {
  const child = spawn(PYTHON, ['-m', ...args], {
    cwd: import.meta.dirname,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`python -m ${args.join(' ')} ended with ${code}:\n${output}`)
    return output
  })
  // Whoever waits for it sees the error; until then it must not end this process.
  ended.catch(() => {})
  return { child, lines: createInterface({ input: child.stdout }), ended }
}
