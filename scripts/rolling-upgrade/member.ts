import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A process of the product, of either release. */
export type Member = {
  url: string
  /** SIGTERM, as an orchestrator sends it. Throws if it does not end by itself with code 0. */
  stop(): Promise<void>
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

/**
 * Starts `drover <command>` of the release in `folder` and waits until it logs its address. `report` receives its log
 * lines from warnings on.
 */
export async function startMember(
  folder: string,
  command: 'start' | 'api' | 'worker',
  env: Readonly<Record<string, string>>,
  report: (line: string) => void = console.error,
): Promise<Member> {
  const child = spawn(process.execPath, [join(folder, 'src/main.ts'), command], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = ADDRESS.exec(line)?.[0]
      if (message) resolve(message)
      // Older workers listen on no port: they only log that they have started.
      else if (line.includes('"msg":"started"')) resolve('')
      else if (/"level":(40|50|60)/.test(line)) report(`${command} of ${folder}: ${line}`)
    })
    child.once('close', (code) => reject(new Error(`drover ${command} ended with code ${code}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      const [code, signal] = await ended
      if (code !== 0) throw new Error(`drover ${command} ended with ${signal ?? `code ${code}`}`)
    },
  }
}

/** Runs `drover <command>` to its end. */
export async function runToEnd(
  folder: string,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'src/main.ts'), command], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`drover ${command} ended with code ${code}`)
}
