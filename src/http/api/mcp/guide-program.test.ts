import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { guideFiles } from '../../../../scripts/lint-markdown.ts'
import { deliveryBody } from '../../../../test/api.ts'
import { listeningMcp } from '../../../../test/mcp-clients.ts'

const GUIDE = resolve(import.meta.dirname, '../../../../docs/guides/mcp.md')
const SDK = import.meta.resolve('@modelcontextprotocol/client')

test('the guide’s program books a delivery only if a person agrees, and has its label', async (t) => {
  const { url, tokenOf, call } = await listeningMcp(t)
  const folder = mkdtempSync(join(tmpdir(), 'drover-mcp-guide-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [program] = guideFiles([{ path: GUIDE, text: readFileSync(GUIDE, 'utf8') }])
  assert.equal(program?.path, 'assistant/book-delivery.ts')
  const file = join(folder, 'book-delivery.mts')
  writeFileSync(file, program.text.replace("'@modelcontextprotocol/client'", `'${SDK}'`))
  // The label's address begins with PUBLIC_URL, where nothing listens in a test.
  const { fetch } = globalThis
  t.mock.method(globalThis, 'fetch', (input: string | URL | Request, init?: RequestInit) =>
    fetch(String(input).replace('http://drover.test', new URL(url).origin), init),
  )
  const { bookDelivery } = await import(pathToFileURL(file).href)
  const token = await tokenOf('demo-client', 'demo-secret', 'deliveries:read deliveries:write')
  const body = deliveryBody()
  const statusNow = async () => (await call(`GET /demo/deliveries/${body.reference}`)).json.data?.status
  assert.equal(await bookDelivery(url, token, body, async () => false), null)
  assert.equal(await statusNow(), undefined)
  const effects: string[] = []
  const label = await bookDelivery(url, token, body, async (effect: string) => effects.push(effect) === 1)
  assert.equal(new TextDecoder().decode(label.subarray(0, 5)), '%PDF-')
  assert.match(effects[0] ?? '', /^Drover creates the delivery for .+ and books it at once\.$/)
  assert.equal(await statusNow(), 'booked')
  await assert.rejects(() => bookDelivery(url, token, body, async () => true), /duplicate_reference/)
})
