import type { Registry } from 'prom-client'

/** How old a text may be. Prometheus scrapes every few seconds at most. */
const KEPT_MS = 1_000

type Kept = { text: Promise<string>; madeAtMs: number }
const keptTexts = new WeakMap<Registry, Kept>()

/**
 * The metrics of a registry in the exposition format. Readers share one rendering: it blocks the event loop, and on the
 * request port anybody may ask for it.
 */
export function metricsText(registry: Registry, nowMs: number = performance.now()): Promise<string> {
  const rendering = keptTexts.get(registry)
  if (rendering && nowMs - rendering.madeAtMs < KEPT_MS) return rendering.text
  // Figures from the database may take longer than a second: meanwhile no second rendering begins.
  const made: Kept = { text: registry.metrics(), madeAtMs: Number.POSITIVE_INFINITY }
  keptTexts.set(registry, made)
  made.text.then(
    () => {
      made.madeAtMs = nowMs
    },
    () => keptTexts.delete(registry),
  )
  return made.text
}
