/** Keeps the app on the phone: its page and files, never the API's answers. */
const CACHE = 'drover-driver-1'
/** A style sheet is asked for by another Accept than the same file by a script. */
const ANY = { ignoreVary: true }
const SOON_MS = 4_000

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

/** The newest page where it comes soon, else the one that is kept: nobody waits for it on one bar of signal. */
async function page(request) {
  const known = await caches.match('/driver', ANY)
  try {
    const answer = await (known ? soon(fetch(request)) : fetch(request))
    if (answer.status >= 500 && known) return known
    if (answer.ok) keepApp()
    return answer
  } catch {
    return known ?? Response.error()
  }
}

function soon(answer) {
  return Promise.race([answer, new Promise((_, fail) => setTimeout(fail, SOON_MS))])
}

async function file(request) {
  const known = await caches.match(request, ANY)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(CACHE)
    await cache.put(request, answer.clone())
  }
  return answer
}

/** Caches the page with the files that it names, and removes files that the server no longer has. */
async function keepApp() {
  const cache = await caches.open(CACHE)
  const answer = await fetch('/driver', { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const named = filesOf(await answer.clone().text())
  const before = await cache.match('/driver', ANY)
  const isNew = String(named) !== String(before ? filesOf(await before.text()) : [])
  for (const path of named) if (!(await cache.match(path, ANY))) await cache.add(path)
  await cache.put('/driver', answer)
  if (!isNew) return
  // Files that the page loads later, such as maps, are not named in it: they stay while the server has them.
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname === '/driver' || named.includes(pathname)) continue
    const answer = await fetch(url, { method: 'HEAD' })
    if (answer.status === 404) await cache.delete(url, ANY)
  }
}

function filesOf(html) {
  return [...html.matchAll(/(?:src|href)="(\/driver\/assets\/[^"]+)"/g)].map(([, path]) => path)
}
