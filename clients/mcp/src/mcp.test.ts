import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import test, { type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { buildMcp } from '../../../scripts/build-mcp.ts'
import { deliveryBody } from '../../../test/api.ts'
import { VERSION } from '../../typescript/src/call.ts'
import { type ListeningApi, listeningApi } from '../../typescript/src/test/listening-api.ts'

const PROJECT = resolve(import.meta.dirname, '../../..')
const ME = { name: 'drover-test', version: '1.0.0' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
type Environment = Record<string, string>
type Program = ChildProcessByStdio<Writable, Readable, Readable>

/** The program as it is published, and what it needs to reach the demo account. */
async function built(t: TestContext): Promise<{ api: ListeningApi; program: string; env: Environment }> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-mcp-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [api, program] = await Promise.all([listeningApi(t), buildMcp(folder)])
  return { api, program, env: { ...settingsOfTheGuide(), DROVER_URL: api.baseUrl } }
}

/** An assistant's settings, as the guide gives them. */
function guideSettings(): { command: string; args: string[]; env: Environment } {
  const guide = readFileSync(join(PROJECT, 'docs/guides/mcp.md'), 'utf8')
  const [, block = ''] = /^```json\n([\s\S]*?)^```/m.exec(guide) ?? []
  return JSON.parse(block).mcpServers.drover
}

const settingsOfTheGuide = (): Environment => guideSettings().env

async function modern(t: TestContext, program: string, env: Environment, args: string[] = []) {
  const client = new Client(ME, { versionNegotiation: { mode: 'auto' } })
  const stderr = 'ignore'
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, ...args], env, stderr }),
  )
  t.after(() => client.close())
  return client
}

async function older(t: TestContext, program: string, env: Environment) {
  const client = new OlderClient(ME)
  const transport = new OlderTransport({ command: process.execPath, args: [program], env, stderr: 'ignore' })
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0])
  t.after(() => client.close())
  return client as unknown as Client
}

function start(t: TestContext, program: string, env: Environment, args: string[] = []): Program {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Everything that the program writes to the stream, until it ends. */
async function textOf(stream: Readable): Promise<string> {
  return (await stream.setEncoding('utf8').toArray()).join('')
}

test('an assistant started with the guide’s settings lists and calls the tools, with either SDK', async (t) => {
  const { api, program, env } = await built(t)
  assert.deepEqual([guideSettings().command, guideSettings().args], ['npx', ['-y', '@drover/mcp']])
  const { reference, id } = (await api.api.call('POST /demo/deliveries', { body: deliveryBody() })).json.data
  const newest = await modern(t, program, env)
  assert.equal(newest.getNegotiatedProtocolVersion(), '2026-07-28')
  for (const client of [newest, await older(t, program, env)]) {
    const { tools } = await client.listTools()
    assert.ok(tools.length > 10 && tools.every(({ annotations }) => annotations?.readOnlyHint === true))
    const named = { delivery_id_or_reference: reference }
    const read = await client.callTool({ name: 'get_delivery', arguments: named })
    assert.equal((read.structuredContent as { data: { id: string } }).data.id, id)
    const { contents } = await client.readResource({ uri: `drover://deliveries/${reference}` })
    assert.match((contents[0] as { text: string }).text, new RegExp(id))
    const absent = await client.callTool({
      name: 'get_delivery',
      arguments: { delivery_id_or_reference: 'nothing' },
    })
    assert.equal((absent.structuredContent as { error: { code: string } }).error.code, 'not_found')
    await assert.rejects(() => client.callTool({ name: 'nö', arguments: {} }), /no tool with this name/)
  }
})

test('the tools that change something are there only with --write', async (t) => {
  const { program, env } = await built(t)
  const { tools } = await (await modern(t, program, env, ['--write'])).listTools()
  assert.ok(tools.some(({ name }) => name === 'commit_booking'))
})

test('when Drover is gone, each call gets an error that says so', async (t) => {
  const { api, program, env } = await built(t)
  const clients = [await modern(t, program, env), await older(t, program, env)]
  await api.api.app.close()
  for (const client of clients) {
    await assert.rejects(
      () => client.callTool({ name: 'list_stores', arguments: {} }),
      /Drover does not answer at/,
    )
  }
})

test('wrong credentials get an error that names the settings', async (t) => {
  const { program, env } = await built(t)
  const wrong = { ...env, DROVER_CLIENT_SECRET: 'wrong' }
  await assert.rejects(() => modern(t, program, wrong), /Check DROVER_CLIENT_ID/)
  const { DROVER_CLIENT_ID: _, ...rest } = env
  await assert.rejects(() => modern(t, program, { ...rest, DROVER_TOKEN: 'wrong' }), /a new DROVER_TOKEN/)
})

test('stdout has one answer for each line, also for rubbish, and the program ends when stdin ends', async (t) => {
  const { api, program, env } = await built(t)
  const { DROVER_CLIENT_ID: _, DROVER_CLIENT_SECRET: _secret, ...rest } = env
  const DROVER_TOKEN = await api.api.tokenOf('demo-client', 'demo-secret')
  const child = start(t, program, { ...rest, DROVER_TOKEN })
  const lines = [
    '{"half',
    '7',
    '',
    '{"jsonrpc":"2.0","id":2}',
    JSON.stringify({ jsonrpc: '2.0', id: 3, result: {} }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    JSON.stringify({ ...LIST, id: 4, tool: 'list_stores' }),
    JSON.stringify({ ...LIST, id: 5, method: 'no/such' }),
    JSON.stringify({ ...LIST, id: 6, params: { note: 'one line:\u2028the same line' } }),
  ]
  const written = textOf(child.stdout)
  // The last line has no end.
  child.stdin.end(lines.join('\n'))
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  const answers = (await written)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const codes = answers.map(({ id = null, error }) => [id, error?.code ?? null])
  const expected = [
    [null, -32700],
    [null, -32600],
    [2, -32600],
    [4, -32600],
    [5, -32601],
    [6, null],
  ]
  assert.deepEqual(
    codes.sort(([a], [b]) => a - b),
    expected,
  )
  assert.ok(answers.every(({ jsonrpc, error }) => jsonrpc === '2.0' && (!error || error.message !== '')))
})

test('SIGTERM ends it, and wrong settings do not start it', async (t) => {
  const { program, env } = await built(t)
  const child = start(t, program, env)
  child.stdin.write(`${JSON.stringify(LIST)}\n`)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const cases: [Environment, string[], RegExp][] = [
    [{ ...env, DROVER_ACCOUNT: '' }, [], /Set DROVER_ACCOUNT/],
    [{ ...env, DROVER_CLIENT_SECRET: '' }, [], /Set DROVER_CLIENT_ID and DROVER_CLIENT_SECRET/],
    [{ ...env, DROVER_URL: 'drover.example.com' }, [], /DROVER_URL must be/],
    [
      { ...env, DROVER_URL: 'https://ada:hidden-1@drover.example.com' },
      [],
      /^(?!.*hidden-1).*DROVER_URL must not/,
    ],
    [env, ['--secret=x'], /Unknown option/],
  ]
  for (const [given, args, sentence] of cases) {
    const refused = start(t, program, given, args)
    const written = Promise.all([textOf(refused.stdout), textOf(refused.stderr)])
    assert.deepEqual(await once(refused, 'exit'), [2, null])
    const [stdout, stderr] = await written
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  }
})

test('its version is that of the client whose parts it has', () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'clients/mcp/package.json'), 'utf8'))
  assert.equal(version, VERSION)
})
