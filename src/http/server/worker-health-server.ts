import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpDeps } from '../contract/deps.ts'
import { metricsText } from '../observing/metrics-text.ts'

export type WorkerHealthServer = {
  /** The address on which it listens. */
  address: string
  close(): Promise<void>
}

/** `registry` null: metrics are served on another port. */
type HealthDeps = Pick<HttpDeps, 'notReady' | 'warnings' | 'version' | 'commit'> & {
  registry: HttpDeps['registry'] | null
}

/**
 * The health and metrics server of a worker, or of a separate metrics port: `/health/live`, `/health/ready` and
 * `/metrics`, as on the API's port, and no account data. Rejects if it cannot listen there.
 */
export async function openWorkerHealthServer(
  deps: HealthDeps,
  { host, port }: { host: string; port: number },
): Promise<WorkerHealthServer> {
  const server = createServer({ requestTimeout: 15_000, headersTimeout: 10_000 }, answer(deps))
  server.listen(port, host)
  await once(server, 'listening')
  const { port: boundPort } = server.address() as AddressInfo
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer({ registry, notReady, warnings = () => [], version, commit }: HealthDeps): RequestListener {
  return async ({ method, url }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && url === '/health/live') return json(response, 200, { status: 'ok' })
    if (isRead && url === '/health/ready') {
      const reason = await notReady()
      const current = warnings()
      return reason === null
        ? json(response, 200, {
            status: 'ok',
            version,
            ...(commit ? { commit } : {}),
            ...(current.length > 0 ? { warnings: current } : {}),
          })
        : json(response, 503, { status: 'not_ready', reason })
    }
    if (isRead && registry && url === '/metrics') {
      const body = await metricsText(registry)
      return response.writeHead(200, { 'content-type': registry.contentType }).end(body)
    }
    json(response, 404, { status: 'not_found' })
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
