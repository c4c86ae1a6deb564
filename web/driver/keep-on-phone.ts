/**
 * Lets the app start without signal: its service worker caches every file, including those loaded before the worker.
 */
export async function keepOnPhone(): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  await serviceWorker.register('/driver/sw.js', { scope: '/driver' })
  if (!serviceWorker.controller) {
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }))
  }
  // Drivers open maps where there is no signal, so maps are loaded in advance.
  await Promise.all([import('../shared/map/local-drawing.tsx'), import('../shared/map/ground.ts')])
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  for (const { pathname, href } of loaded) {
    // Requested through the worker now, which caches them; the browser has them in its own cache.
    if (pathname.startsWith('/driver/assets/')) await fetch(href)
  }
}
