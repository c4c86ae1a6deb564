/**
 * Runs the product during development: `npm run dev`. The server restarts when a file of `src` changes, and the open
 * browser reloads changed pages. It uses the demo account and the database of `npm start`.
 *
 *   npm run dev                       pages on 5173, the server behind them on 8081
 *   npm run dev -- --port 5200 --server-port 8200
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer as createViteServer, type ViteDevServer } from 'vite'
import { APPS, type App } from '../web/apps.ts'
import { viteConfig } from '../web/vite-config.ts'
import { writeApiTypes } from './api-types.ts'

const HOST = '127.0.0.1'
const { values } = parseArgs({
  options: { port: { type: 'string', default: '5173' }, 'server-port': { type: 'string', default: '8081' } },
})
const port = Number(values.port)
const serverPort = Number(values['server-port'])

await writeApiTypes()
const pages = createServer(answer)
const apps = await Promise.all(
  (Object.keys(APPS) as App[]).map(async (app) => ({ app, vite: await viteOf(app) })),
)
await new Promise<void>((done, fail) => pages.once('error', fail).listen(port, HOST, done))
const server = spawn(process.execPath, ['--watch-path=src', 'src/main.ts', 'start'], {
  stdio: 'inherit',
  env: { ...process.env, HOST, PORT: String(serverPort), PUBLIC_URL: `http://${HOST}:${port}` },
})
console.log(`The pages are at http://${HOST}:${port}/portal. Your changes show at once.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))
server.once('exit', async (code) => {
  await Promise.all(apps.map(({ vite }) => vite.close()))
  process.exit(code ?? 0)
})

function viteOf(app: App): Promise<ViteDevServer> {
  const { build: _, ...config } = viteConfig(app, '')
  return createViteServer({
    ...config,
    appType: 'custom',
    cacheDir: resolve(import.meta.dirname, '../.node/vite', app),
    server: {
      middlewareMode: true,
      hmr: { server: pages, path: 'hot' },
      fs: { allow: [resolve(import.meta.dirname, '..')] },
    },
  })
}

/** Whether Vite or the server answers: pages and their modules come from Vite. */
async function answer(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
  const path = (asked.url ?? '/').split('?')[0] as string
  const found = apps.find(({ app }) => path === APPS[app].slice(0, -1) || path.startsWith(APPS[app]))
  if (!found || asked.method !== 'GET') return passOn(asked, reply)
  const { app, vite } = found
  if (!asked.headers.accept?.includes('text/html')) {
    return vite.middlewares(asked, reply, () => passOn(asked, reply))
  }
  try {
    const html = readFileSync(resolve(import.meta.dirname, '../web', app, 'index.html'), 'utf8')
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.end(await vite.transformIndexHtml('/index.html', html, asked.url))
  } catch (error) {
    reply.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String((error as Error).stack))
  }
}

function passOn(asked: IncomingMessage, reply: ServerResponse): void {
  const { method, url: path, headers } = asked
  const passed = request({ host: HOST, port: serverPort, method, path, headers }, (answered) => {
    reply.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(reply)
  })
  passed.once('error', () => {
    if (!reply.headersSent) reply.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
    reply.end('The server is starting. Try again in a moment.\n')
  })
  asked.pipe(passed)
}
