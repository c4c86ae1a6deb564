import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { guideFiles } from '../../../scripts/lint-markdown.ts'
import { listeningApi } from './test/listening-api.ts'

const README = resolve(import.meta.dirname, '../README.md')
/** On the day that the test account's clock shows. */
const READY_AT = '2026-11-24T14:00:00+11:00'
const PACKAGE = {
  "'@drover/client'": pathToFileURL(resolve(import.meta.dirname, 'index.ts')).href,
  "'@drover/client/webhooks'": pathToFileURL(resolve(import.meta.dirname, 'webhooks.ts')).href,
}

test('the README’s programs run as they are', async (t) => {
  const { baseUrl } = await listeningApi(t, { work: true })
  const folder = mkdtempSync(join(tmpdir(), 'drover-readme-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const { path, text } of guideFiles([{ path: README, text: readFileSync(README, 'utf8') }])) {
    let program = text.replace('http://127.0.0.1:8080', baseUrl).replaceAll(/console\.log\(.*\)/g, '')
    program = program.replace("'label.pdf'", `'${join(folder, 'label.pdf')}'`)
    program = program.replace('new Date().toISOString()', `'${READY_AT}'`)
    for (const [name, url] of Object.entries(PACKAGE)) program = program.replaceAll(name, `'${url}'`)
    writeFileSync(join(folder, basename(path)), program)
  }
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href)

  const { shipOrder } = await load('ship-order.ts')
  const label = await shipOrder('WC-1001', READY_AT)
  assert.equal(new TextDecoder().decode(label.subarray(0, 5)), '%PDF-')
  assert.deepEqual(await shipOrder('WC-1001', READY_AT), label)
  await load('print-label.ts')
  assert.equal(readFileSync(join(folder, 'label.pdf')).subarray(0, 5).toString(), '%PDF-')

  const { cancelOrder } = await load('cancel-order.ts')
  assert.equal(await cancelOrder('WC-1001'), 'cancelled')
  const { listOnHold } = await load('on-hold.ts')
  assert.deepEqual(await listOnHold(), [])

  const { followEvents } = await load('follow-events.ts')
  const stop = new AbortController()
  const written: string[] = []
  const store = {
    read: async () => undefined,
    write: async (next: string) => {
      written.push(next)
      stop.abort()
    },
  }
  await followEvents(store, stop.signal)
  assert.equal(written.length, 1)

  const { receiveWebhook } = await load('receive-webhook.ts')
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"type":"delivery.booked","data":{}}'
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  }
  const post = (text: string) => new Request('http://shop.test/', { method: 'POST', headers, body: text })
  assert.equal((await receiveWebhook(post(body), secret)).status, 204)
  assert.equal((await receiveWebhook(post(`${body} `), secret)).status, 400)
})
