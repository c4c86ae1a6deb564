import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Api, testApi } from '../../../../test/api.ts'
import type { FixtureOptions } from '../../../../test/fixture.ts'
import { Drover, type DroverOptions } from '../index.ts'

export const CREDENTIALS = { account: 'demo', clientId: 'demo-client', clientSecret: 'demo-secret' }

export type ListeningApi = {
  api: Api
  port: number
  baseUrl: string
  /** A client of the demo account. */
  drover(options?: Partial<DroverOptions>): Drover
}

/** The API on the demo accounts, at a port of this machine. */
export async function listeningApi(
  t: TestContext,
  options: FixtureOptions = { work: false },
): Promise<ListeningApi> {
  const api = await testApi(t, options)
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return {
    api,
    port,
    baseUrl,
    drover: (options) => new Drover({ baseUrl, ...CREDENTIALS, ...options } as DroverOptions),
  }
}
