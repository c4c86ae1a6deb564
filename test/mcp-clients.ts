import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Api, testApi } from './api.ts'

const ME = { name: 'drover-test', version: '1.0.0' }

/** The API on a port of its own; a client of each era speaks to it over TCP. */
export async function listeningMcp(t: TestContext): Promise<Api & { url: string }> {
  const api = await testApi(t, { work: false })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  return { ...api, url: `http://127.0.0.1:${port}/demo/mcp` }
}

export async function connectModern(
  t: TestContext,
  url: string,
  token: string,
  mode: 'auto' | 'legacy' = 'auto',
) {
  const client = new Client(ME, mode === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {})
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  t.after(() => client.close())
  return client
}

export async function connectOlder(t: TestContext, url: string, token: string) {
  const client = new OlderClient(ME)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new OlderTransport(new URL(url), { requestInit })
  // The old SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0])
  t.after(() => client.close())
  return client
}
