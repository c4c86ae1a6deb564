import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buildMcp } from '../../scripts/build-mcp.ts'
import { type Part, requestDemoToken } from './part.ts'
import { npmTool, pythonTool, run } from './tools.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

const DEMO = { DROVER_ACCOUNT: 'demo', DROVER_CLIENT_ID: 'demo-client', DROVER_CLIENT_SECRET: 'demo-secret' }

/** Programs of others that speak the Model Context Protocol. */
export const ASSISTANTS: Readonly<Record<string, Part>> = {
  /** The protocol's own suite. It compares the scenarios that fail with the list of those that must. */
  async 'mcp-conformance'({ folder, url }) {
    const tool = await npmTool('mcp-conformance')
    const suite = join(tool, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const proxy = await authorisingProxy(url)
    try {
      const expected = join(PROGRAMS, 'mcp-conformance.yaml')
      const address = `http://127.0.0.1:${proxy.port}/demo/mcp`
      const flags = ['--expected-failures', expected, '--output-dir', join(folder, 'mcp-conformance')]
      await run(process.execPath, [suite, 'server', '--url', address, ...flags])
      return ''
    } finally {
      await proxy.close()
    }
  },

  /** The inspector's command line: over HTTP, and with `@drover/mcp` as a program. */
  async 'mcp-inspector'({ folder, url }) {
    const tool = await npmTool('mcp-inspector')
    const inspector = join(
      tool,
      'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    )
    const settings = Object.entries({ ...DEMO, DROVER_URL: url }).map(([name, value]) => `${name}=${value}`)
    const program = await buildMcp(join(folder, 'mcp-inspector'))
    const ways = [
      [
        `${url}/demo/mcp`,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${await requestDemoToken(url)}`,
      ],
      [process.execPath, program, ...settings.flatMap((setting) => ['-e', setting])],
    ]
    const call = ['--method', 'tools/call', '--tool-name', 'list_stores']
    for (const way of ways) {
      for (const [wanted, ask] of [
        ['exceptions_today', ['--method', 'tools/list']],
        ['melbourne-cbd', call],
      ] as const) {
        const output = await run(process.execPath, [inspector, '--cli', ...way, ...ask])
        if (!output.includes(wanted)) return `${ask[1]} does not name ${wanted}: ${output.slice(0, 1_000)}`
      }
    }
    return ''
  },

  /** The SDK for Python, with both protocol versions: over HTTP, and with `@drover/mcp` as a program. */
  async 'mcp-python'({ folder, url }) {
    const python = join(await pythonTool('mcp'), 'bin/python')
    const mcp = await buildMcp(join(folder, 'mcp-python'))
    const program = join(folder, 'mcp-python.py')
    await cp(join(PROGRAMS, 'mcp-python.txt'), program)
    const output = await run(python, [program, url, await requestDemoToken(url), process.execPath, mcp])
    const played = '[true, true, "not_found"]'
    const expected = ['legacy', 'auto'].map((mode) => `["${mode}", ${played}, ${played}]\n`).join('')
    return output === expected ? '' : `It printed ${output}, not ${expected}`
  },
}

/** The suite sends no token: this adds one to each request, and otherwise is a reverse proxy that Drover knows. */
async function authorisingProxy(url: string): Promise<{ port: number; close(): Promise<void> }> {
  const authorization = `Bearer ${await requestDemoToken(url)}`
  const server = createServer((incoming, outgoing) => {
    const { host = '', origin } = incoming.headers
    const isOwn = host === `127.0.0.1:${(server.address() as AddressInfo).port}`
    const headers = {
      ...incoming.headers,
      authorization,
      ...(isOwn && { host: new URL(url).host, ...(origin === `http://${host}` && { origin: url }) }),
    }
    const onward = request(`${url}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
