/** Lets the app start without signal: its worker keeps every file of it, those that came before the worker too. */
export async function keepOnPhone(): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  await serviceWorker.register('/driver/sw.js', { scope: '/driver' })
  if (!serviceWorker.controller) {
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }))
  }
  // Maps are looked at where there is no signal, so they are loaded before that.
  await import('../shared/map/local-drawing.tsx')
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  for (const { pathname, href } of loaded) {
    // Asked for through the worker now, which keeps it; the browser has it at hand.
    if (pathname.startsWith('/driver/assets/')) await fetch(href)
  }
}
