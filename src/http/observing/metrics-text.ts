import type { Registry } from 'prom-client'

/** How old a text may be. Prometheus scrapes every few seconds at most. */
const REUSE_MS = 1_000

type Rendering = { text: Promise<string>; madeAtMs: number }
const renderings = new WeakMap<Registry, Rendering>()

/**
 * The metrics of a registry in the exposition format. Readers share one rendering: it blocks the event loop, and on the
 * request port anybody may ask for it.
 */
export function metricsText(registry: Registry, nowMs: number = performance.now()): Promise<string> {
  const rendering = renderings.get(registry)
  if (rendering && nowMs - rendering.madeAtMs < REUSE_MS) return rendering.text
  // Figures from the database may take longer than a second: meanwhile no second rendering begins.
  const fresh: Rendering = { text: registry.metrics(), madeAtMs: Number.POSITIVE_INFINITY }
  renderings.set(registry, fresh)
  fresh.text.then(
    () => {
      fresh.madeAtMs = nowMs
    },
    () => renderings.delete(registry),
  )
  return fresh.text
}
