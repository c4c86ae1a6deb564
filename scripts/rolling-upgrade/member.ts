import { join } from 'node:path'
import type { CleanUps } from '../../test/harness/clean-ups.ts'
import { type Ask, asker, signedIn, under } from '../../test/harness/http.ts'
import { errorsIn } from '../../test/harness/report.ts'
import { shipped } from '../../test/packaged-process.ts'

/** A process of the product, of either release. */
export type Member = {
  url: string
  /** SIGTERM, as an orchestrator sends it. Throws if it does not end by itself with code 0. */
  stop(): Promise<void>
}

/** Its address; older workers listen on no port, and only log that they have started. */
const STARTED = /(http:\/\/127\.0\.0\.1:\d+)|"msg":"started"/

/** Starts `drover <command>` of the release in `folder`, and waits until it logs its address. */
export async function startMember(
  cleanUps: CleanUps,
  folder: string,
  command: 'start' | 'api' | 'worker',
  env: Readonly<Record<string, string>>,
): Promise<Member> {
  const running = await shipped(cleanUps, command, env, STARTED, join(folder, 'src/main.ts'))
  return {
    url: running.message,
    async stop() {
      running.signal('SIGTERM')
      const { code, signal } = await running.ended
      for (const line of errorsIn(running.output(), 'warn')) console.error(`${command} of ${folder}: ${line}`)
      if (code !== 0) throw new Error(`drover ${command} ended with ${signal ?? `code ${code}`}`)
    },
  }
}

/** Signs in as the demo account's client. Paths are relative to the account. */
export function askDemo(ask: Ask | string): Ask {
  const credentials = { client_id: 'demo-client', client_secret: 'demo-secret' }
  return signedIn(under('/demo', typeof ask === 'string' ? asker(ask) : ask), credentials)
}
