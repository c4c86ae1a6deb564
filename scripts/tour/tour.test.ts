import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testDatabase } from '../../test/database.ts'
import { freePort, shipped } from '../../test/packaged-process.ts'

const TOUR = fileURLToPath(new URL('../tour.ts', import.meta.url))

test('the tour runs from quote to delivery against a running service, twice on the same one', async (t) => {
  const { url: DATABASE_URL } = await testDatabase()
  const env = {
    DATABASE_URL,
    PORT: await freePort(),
    DROVER_SECRET_KEY: 'the key of a tour in a test, long enough',
  }
  const { message: url } = await shipped(t, 'start', env, /Drover runs at\s+(\S+)/)
  for (const time of ['once', 'again']) {
    const { stdout } = await promisify(execFile)(process.execPath, [TOUR, url])
    assert.match(stdout, /the same delivery, not a second one/, time)
    assert.match(
      stdout,
      /5\. When could it arrive\?[\s\S]*An estimate from the store’s hours[\s\S]*6\. What does it cost/,
    )
    assert.match(
      stdout,
      /6\. What does it cost[\s\S]*a type from\s+the step before may be missing here[\s\S]*7\. /,
    )
    assert.match(stdout, /southern_parcels: book → booked/)
    assert.match(stdout, /\nbooked: | {3}booked: \$/)
    assert.match(stdout, /409 delivery_already_consigned/)
    assert.match(stdout, /SOUTHERN-ROAD, dangerous goods: submitted as SPO/)
    assert.match(stdout, /Asked for express: it is standard/)
    assert.match(stdout, /SMS: .*\/driver\/jobs\//)
    assert.match(stdout, /customer_pickup: Southern Parcels/)
    assert.match(stdout, /Z {2}delivered /)
    const papers = /Labels and documents: (.+)/.exec(stdout)?.[1] ?? ''
    t.after(() => rmSync(papers, { recursive: true, force: true }))
    assert.deepEqual(readdirSync(papers).sort(), [
      'dangerous-goods-declaration.pdf',
      'label-from-customer.pdf',
      'label.pdf',
      'order-summary-1.pdf',
      'order-summary-2.pdf',
      'proof-of-delivery.pdf',
    ])
    for (const paper of readdirSync(papers))
      assert.equal(readFileSync(join(papers, paper)).subarray(0, 5).toString(), '%PDF-', paper)
  }
})

test('without a running service it explains how to start one', async () => {
  await assert.rejects(promisify(execFile)(process.execPath, [TOUR, 'http://127.0.0.1:9']), {
    code: 1,
    stderr: /Start the service first, in another terminal: npm start/,
  })
})
