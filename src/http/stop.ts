import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** True from the moment a stop was asked for: `/health/ready` says no, connections are not kept. */
    stopping: boolean
  }
}

export function stoppable(app: FastifyInstance): void {
  app.decorate('stopping', false)
}

/**
 * Stops without dropping anybody: says not ready and waits `drainMs` for load balancers to notice, takes no new
 * connections, lets running requests end, and cuts what is left after `graceMs`.
 */
export async function closeServer(
  app: FastifyInstance,
  { drainMs = 250, graceMs = 9_000 } = {},
): Promise<void> {
  app.stopping = true
  if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}
