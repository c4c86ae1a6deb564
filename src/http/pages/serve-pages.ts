import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { Authenticator } from '../admission/admission.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { type Encoding, takesEncoding } from '../contract/encodings.ts'
import type { PageApp } from '../contract/endpoint.ts'
import { SECURITY_HEADERS } from '../contract/send.ts'
import { type BuiltFile, type BuiltFiles, builtFiles } from './built-files.ts'

/** How often this page reloads, until the real page is built. */
const RELOAD_S = 3

const NOT_BUILT_TEXT = [
  'The pages are still being built; this takes half a minute after a first start.',
  'If they do not appear: npm run build',
]

const PAGE = `<!doctype html>
<html lang="en-AU">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RELOAD_S}">
<title>Drover is building its pages</title>
<h1>Drover is building its pages</h1>
<p>This takes half a minute after a first start. The page opens by itself when it is ready.</p>
<p>If it does not open, run: <code>npm run build</code></p>
</html>
`

/**
 * The 503 while the pages are built at a first start: browsers get a page that reloads itself, other clients a
 * sentence.
 */
export function notBuiltAnswer(isPage: boolean): { headers: Record<string, string>; body: string } {
  const headers = { 'cache-control': 'no-store', 'retry-after': `${RELOAD_S}`, vary: 'accept' }
  if (!isPage) {
    return {
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
      body: `${NOT_BUILT_TEXT.join(' ')}\n`,
    }
  }
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return {
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
    body: PAGE,
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    pagePolicy: string
  }
}

const FOLDER = fileURLToPath(new URL('../../../dist/web', import.meta.url))

/** The licences of an app's dependencies, written by its build. */
const NOTICES = 'licences.txt'

/** Each page app: the folder of its build, the base URL of its files, and the URLs that its page serves. */
const APPS = [
  { name: 'portal', base: '/portal', pages: ['/portal', '/portal/*'], files: [NOTICES] },
  {
    name: 'driver',
    base: '/driver',
    pages: ['/driver', '/driver/'],
    files: ['sw.js', 'driver.webmanifest', 'icon-192.png', 'icon-512.png', NOTICES],
  },
  // The pages of these apps share URLs with their data: the endpoints declare them.
  { name: 'track', base: '/track', pages: [], files: [NOTICES] },
  { name: 'book', base: '/l', pages: [], files: [NOTICES] },
] as const satisfies readonly {
  name: PageApp
  base: string
  pages: readonly string[]
  files: readonly string[]
}[]

const BUILT: Readonly<Record<PageApp, BuiltFiles>> = {
  portal: builtFiles(`${FOLDER}/portal`),
  driver: builtFiles(`${FOLDER}/driver`),
  track: builtFiles(`${FOLDER}/track`),
  book: builtFiles(`${FOLDER}/book`),
}

/** URLs served in addition to the endpoints, for the address map. */
export const PAGE_ADDRESSES: readonly { method: 'GET'; url: string }[] = APPS.flatMap(
  ({ base, pages, files }) =>
    [...pages, ...files.map((file) => `${base}/${file}`), `${base}/assets/:file`].map((url) => ({
      method: 'GET',
      url,
    })),
)

/**
 * Content security policy: our own files only, no inline scripts or styles. With map tiles configured, images and data
 * may also be loaded from their origins.
 */
function pagePolicy(mapTiles: HttpDeps['mapTiles']): string {
  const tiles = (mapTiles?.origins ?? []).map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${tiles}`,
    "font-src 'self'",
    `connect-src 'self'${tiles}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Whether the pages of all apps are built. */
export function arePagesBuilt(): boolean {
  return APPS.every(({ name }) => findPage(name) !== null)
}

/** Serves the built pages, streamed from disk and not kept in memory. */
export function servePages(app: FastifyInstance, authenticator: Authenticator, { mapTiles }: HttpDeps): void {
  app.decorate('pagePolicy', pagePolicy(mapTiles))
  for (const { name, base, pages, files: own } of APPS) {
    const files = BUILT[name]
    for (const file of own) {
      app.get(`${base}/${file}`, (request, reply) => {
        authenticator.admitAnybody(request)
        // The service worker's scope may include the page itself, which is outside its folder.
        reply.header('service-worker-allowed', base)
        return sendFile(request, reply, files.find(file))
      })
    }
    for (const url of pages) {
      app.get(url, (request, reply) => {
        authenticator.admitAnybody(request)
        const rest = (request.params as Record<string, string>)['*'] ?? ''
        return sendFile(request, reply, files.find(rest) ?? findPage(name))
      })
    }
    app.get(`${base}/assets/:file`, (request, reply) => {
      authenticator.admitAnybody(request)
      const { file } = request.params as { file: string }
      const found = files.find(`assets/${file}`)
      if (!found) throw new Refusal('not_found', 'There is no such file in the pages that are built.')
      return sendFile(request, reply, found)
    })
  }
}

/** Whether a browser opens a data URL and should get the page that shows it. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Sends an app's page at a data URL, with the status that the data would have; the response must not be cached. */
export function sendPage(name: PageApp, status: number, request: FastifyRequest, reply: FastifyReply): void {
  sendFile(request, reply.code(status), findPage(name), 'no-store')
}

/** The single page of an app; its script reads the URL. */
function findPage(name: PageApp): BuiltFile | null {
  return BUILT[name].find('index.html')
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile | null,
  kept = 'no-cache',
): FastifyReply {
  reply.headers({ ...SECURITY_HEADERS, ...request.endpoint?.headers, 'x-request-id': request.id })
  if (!file) {
    const { headers, body } = notBuiltAnswer(wantsPage(request))
    return reply.code(503).headers(headers).send(body)
  }
  const cached = file.immutable ? 'public, max-age=31536000, immutable' : kept
  reply.headers({
    'cache-control': cached,
    'content-type': file.type,
    'content-security-policy': request.server.pagePolicy,
    etag: file.etag,
    vary: 'accept, accept-encoding',
  })
  if (kept !== 'no-store' && request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const encoding = encodingFor(request, file)
  const { path, bytes } = (encoding && file.packed[encoding]) || file
  if (encoding) reply.header('content-encoding', encoding)
  reply.header('content-length', bytes)
  return reply.send(createReadStream(path))
}

const ENCODINGS = ['br', 'gzip'] as const

function encodingFor(request: FastifyRequest, { packed }: BuiltFile): Encoding | null {
  return ENCODINGS.find((encoding) => packed[encoding] && takesEncoding(request, encoding)) ?? null
}
