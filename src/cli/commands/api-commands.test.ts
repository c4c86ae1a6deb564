import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { deliveryBody, quoteBody } from '../../../test/api.ts'
import { PROGRAM, runProgram } from '../../../test/program.ts'
import { runningService } from '../../../test/running-service.ts'
import { setAccountClock } from '../../operations/accounts/account-clock.ts'

const TUESDAY_TEN_MS = Date.parse('2026-11-24T10:00:00+11:00')

test('a delivery is quoted, listed, booked, labelled, explained and cancelled from the shell', async (t) => {
  const { url, service } = await runningService(t)
  await setAccountClock(service.deps, 'demo', TUESDAY_TEN_MS)
  const at = ['--url', url]
  const run = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await runProgram([...args, ...at])
    assert.equal(code, 0, `${args.join(' ')}: ${err}`)
    return out
  }

  const place = ['--store', 'melbourne-cbd', '--to', 'Carlton VIC 3053', '--parcel', '30x20x10,2.5']
  assert.match(await run('quote', ...place), /^fast\s+\$8\.90\s+Tue 24 Nov/m)
  assert.match(await run('quote', ...place, '--explain'), /big_haul FREIGHT.*no: /)
  const held = await run('quote', ...place, '--hold')
  assert.match(held, /^fast, held until \d{4}-\d\d-\d\dT[\d:.]+Z:\nquo_[\w-]+$/m)
  const quoted = await runProgram(['quote', '--file', '-', '--json', ...at], {
    input: JSON.stringify(quoteBody),
  })
  assert.equal(JSON.parse(quoted.out).data.fast.price_cents, 890)

  await create(url, deliveryBody({ reference: 'CLI-1', ready_for_pickup_at: '2026-11-24T16:00:00+11:00' }))
  assert.match(await run('delivery', 'list', '--q', 'CLI-1'), /^CLI-1\s+melbourne-cbd\s+requested/m)
  assert.match(await run('delivery', 'book', 'CLI-1'), /^Status\s+booked\n/m)
  assert.match(await run('delivery', 'get', 'CLI-1'), /^To\s+12 Drummond Street, Carlton VIC 3053$/m)
  assert.match(
    await run('delivery', 'decision', 'CLI-1'),
    /^ *1\s+Mon 23 Nov \d\d:\d\d\s+\w+ \w+\s+accepted/m,
  )
  assert.match(await run('events', 'CLI-1'), /booked\s+booked\s+api/)
  assert.match(await run('events'), /delivery\.booked\s+CLI-1\s+booked/)

  const folder = await mkdtemp(join(tmpdir(), 'drover-cli-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'label.pdf')
  assert.match(
    await run('delivery', 'label', 'CLI-1', '--out', file),
    /^Wrote .*label\.pdf \(\d+ bytes\)\.\n$/,
  )
  assert.equal((await readFile(file)).subarray(0, 5).toString(), '%PDF-')
  assert.match(await run('delivery', 'label', 'CLI-1', '--format', 'zpl', '--out', '-'), /^\^XA/)

  const cancelled = await run('delivery', 'cancel', 'CLI-1', '--reason', 'Changed their mind', '--json')
  assert.equal(JSON.parse(cancelled).status, 'cancelled')
})

test('a command prints the error of the API in one sentence, once', async (t) => {
  const { url } = await runningService(t)
  const at = ['--url', url]
  const cases: readonly (readonly [readonly string[], number, RegExp, object?])[] = [
    [['delivery', 'get', 'nothing', ...at], 1, /nothing/],
    [
      ['quote', '--store', 'nowhere', '--to', 'Carlton VIC 3052', '--parcel', '1x1x1,1', ...at],
      1,
      /^There is no store "nowhere"\. Known names: melbourne-cbd[^\n]+\n$/,
    ],
    [['quote', '--parcel', '30,2'], 2, /30x20x15,3\.2/],
    [['quote', '--store', 'fitzroy', ...at], 2, /Give --to, --parcel/],
    [['delivery', 'list', '--account', 'my-shop', ...at], 2, /--client/],
    [['delivery', 'list', '--client', 'somebody', ...at], 2, /DROVER_CLIENT_SECRET/],
    [['delivery', 'list', ...at], 1, /\w/, { DROVER_CLIENT_SECRET: 'not this' }],
    [['delivery', 'list', '--url', 'http://127.0.0.1:9'], 2, /Nothing answers at http:\/\/127\.0\.0\.1:9/],
    [['events', 'one', '--follow', ...at], 2, /--follow/],
    [['delivery', 'list', '--url', 'localhost:8080'], 2, /--url must be an address such as http/],
  ]
  for (const [args, code, message, env = {}] of cases) {
    const ran = await runProgram(args, { env })
    assert.equal(ran.code, code, `${args.join(' ')}: ${ran.err}`)
    assert.match(ran.err, message)
    assert.equal(ran.out, '')
  }
})

test('a connection that breaks half-way, or a page of a proxy, is no answer', async (t) => {
  let body = ''
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/auth/token')) return response.end('{"access_token":"x"}')
    if (body !== '') return response.end(body)
    response.writeHead(200, { 'content-length': 100 }).write('{"data":[')
    setTimeout(() => response.destroy(), 50)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const list = () => runProgram(['delivery', 'list', '--url', url])
  const broken = await list()
  assert.deepEqual([broken.code, broken.out], [2, ''])
  assert.match(
    broken.err,
    /^The connection to http:\S+ broke.* before the whole response arrived\. Try again\.\n$/,
  )
  body = '<html>'
  assert.match((await list()).err, /^The response is not JSON, so it is not from Drover/)
})

test('events --follow prints events as they happen', async (t) => {
  const { url } = await runningService(t)
  const child = spawn(process.execPath, [PROGRAM, 'events', '--follow', '--json', '--url', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  await create(url, deliveryBody({ reference: 'FOLLOW-1' }))
  const seen: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const { type, data } = JSON.parse(line)
    if (seen.push(`${data.reference} ${type}`) === 1)
      await create(url, deliveryBody({ reference: 'FOLLOW-2' }))
    if (data.reference === 'FOLLOW-2') break
  }
  assert.ok(seen.includes('FOLLOW-1 delivery.created'))
})

async function create(url: string, body: object): Promise<void> {
  const form = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' }
  const token = await fetch(`${url}/demo/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await token.json()) as { access_token: string }
  const created = await fetch(`${url}/demo/deliveries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(created.status, 201, await created.text())
}
