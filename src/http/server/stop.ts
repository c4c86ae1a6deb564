import type { Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** True once shutdown has begun: `/health/ready` reports not ready, and connections are not kept alive. */
    stopping: boolean
    /** Further sockets of the same port, whose connections belong to this server too. */
    alsoListening: Server[]
  }
}

export function stoppable(app: FastifyInstance): void {
  app.decorate('stopping', false)
  app.decorate('alsoListening', [])
}

/**
 * Graceful shutdown: reports not ready and waits `drainMs` for load balancers to notice, accepts no new connections,
 * lets running requests finish, and `withinMs` after the start closes the connections that are left.
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
