import { Registry } from 'prom-client'
import { buildServer } from '../../src/http/server/server.ts'
import { closeServer } from '../../src/http/server/stop.ts'
import type { Deps } from '../../src/operations/deps.ts'

/** The API with these deps, on a free port of this process. */
export async function serveApi(
  deps: Deps,
  operatorToken = 'nobody’s',
): Promise<{ url: string; stop(): Promise<void> }> {
  const app = buildServer({
    ...deps,
    operatorToken,
    version: '0.0.0-test',
    trustedProxies: ['127.0.0.1'],
    registry: new Registry(),
    tracer: null,
    notReady: () => null,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, stop: () => closeServer(app, { drainMs: 0, withinMs: 500 }) }
}
