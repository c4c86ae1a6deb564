/** Keeps the app on the phone: its page and files, never the API's answers. */
const CACHE = 'drover-driver-1'

self.addEventListener('install', (event) => {
  event.waitUntil(keepApp().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  const isPage = request.mode === 'navigate' && (pathname === '/driver' || pathname === '/driver/')
  if (isPage) event.respondWith(page(request))
  // Files with a hash in their name never change.
  else if (pathname.startsWith('/driver/assets/')) event.respondWith(file(request))
})

/** The newest page where there is signal, else the one that is kept. */
async function page(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok) keepApp()
    return answer
  } catch {
    return (await caches.match('/driver')) ?? Response.error()
  }
}

async function file(request) {
  const known = await caches.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(CACHE)
    await cache.put(request, answer.clone())
  }
  return answer
}

/** The page with the files that it names; those of an older page go. */
async function keepApp() {
  const cache = await caches.open(CACHE)
  const answer = await fetch('/driver', { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const html = await answer.clone().text()
  await cache.put('/driver', answer)
  const named = [...html.matchAll(/(?:src|href)="(\/driver\/assets\/[^"]+)"/g)].map(([, path]) => path)
  for (const path of named) if (!(await cache.match(path))) await cache.add(path)
}
