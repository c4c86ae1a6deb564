import { parseArgs } from 'node:util'
import type { DroverOptions } from '../../typescript/src/client.ts'

export type Settings = {
  options: DroverOptions
  /** Whether the assistant also gets the tools that change something. */
  mayWrite: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

export const USAGE = `Passes messages of the Model Context Protocol between stdin/stdout and Drover.

  npx @drover/mcp            the tools that read
  npx @drover/mcp --write    also the tools that change something

Environment:
  DROVER_URL                 where Drover runs; http://127.0.0.1:8080 unless given
  DROVER_ACCOUNT             the account's id, such as demo in /demo/deliveries
  DROVER_CLIENT_ID and DROVER_CLIENT_SECRET   of an API client; or
  DROVER_TOKEN               an access token, which is not renewed
`

/** Secrets come from the environment, because every user of the machine can read the arguments of a process. */
export function readSettings(env: Environment, args: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return 'help'
  const given = (name: string): string => env[name]?.trim() ?? ''
  const baseUrl = given('DROVER_URL') || 'http://127.0.0.1:8080'
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Error('DROVER_URL must be an http or https address, such as https://drover.example.com.')
  }
  const { username, password } = new URL(baseUrl)
  // fetch refuses such an address, with an error that contains the password.
  if (username || password)
    throw new Error('DROVER_URL must not contain a user name or password. Remove them from the address.')
  const account = given('DROVER_ACCOUNT')
  if (account === '')
    throw new Error("Set DROVER_ACCOUNT to the account's id, such as demo in /demo/deliveries.")
  const token = given('DROVER_TOKEN')
  const [clientId, clientSecret] = [given('DROVER_CLIENT_ID'), given('DROVER_CLIENT_SECRET')]
  const mayWrite = values.write
  if (clientId !== '' && clientSecret !== '') {
    return { options: { baseUrl, account, clientId, clientSecret }, mayWrite }
  }
  if (token !== '') return { options: { baseUrl, account, token: async () => token }, mayWrite }
  throw new Error(
    'Set DROVER_CLIENT_ID and DROVER_CLIENT_SECRET to those of an API client, or set DROVER_TOKEN.',
  )
}
