/** Single-flight: while one run is in progress, all further calls share the run that follows it. */
export function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = () => {
    running = work().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
