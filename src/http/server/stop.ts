import type { Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** True from the moment a stop was asked for: `/health/ready` says no, connections are not kept. */
    stopping: boolean
    /** Sockets of the same port, whose connections are this server's too. */
    alsoListening: Server[]
  }
}

export function stoppable(app: FastifyInstance): void {
  app.decorate('stopping', false)
  app.decorate('alsoListening', [])
}

/**
 * Stops without dropping anybody: says not ready and waits `drainMs` for load balancers to notice, takes no new
 * connections, lets running requests end, and cuts what is left `withinMs` of the beginning.
 */
export async function closeServer(
  app: FastifyInstance,
  { drainMs = 250, withinMs = 9_000 } = {},
): Promise<void> {
  app.stopping = true
  const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
  if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
  const others = app.alsoListening.map((server) => new Promise((closed) => server.close(closed)))
  try {
    await app.close()
    await Promise.all(others)
  } finally {
    clearTimeout(cut)
  }
}
