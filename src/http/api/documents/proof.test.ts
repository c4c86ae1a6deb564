import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { address, deliveryBody, testApi } from '../../../../test/api.ts'
import { assertHarmless } from '../../../../test/assert-inert.ts'
import { textOf } from '../../../../test/documents/printed.ts'
import { driverApi, JPEG, ownDelivery, SAM } from '../../../../test/driver.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { METADATA, phonePhoto } from '../../../../test/phone-photo.ts'
import { without } from '../../../../test/tools.ts'
import { orientationOf } from '../../../documents/photo/orientation.ts'

/** 4 by 2 pixels of half-transparent black, as a canvas writes them: RGBA, each line with another filter. */
function canvasPng(depth = 8): string {
  const line = (filter: number) =>
    Buffer.from([filter, ...Array.from({ length: 4 }, () => [0, 0, 0, 128]).flat()])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(4, 0)
  head.writeUInt32BE(2, 4)
  head.set([depth, 6, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const bytes = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat([line(0), line(2)]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return bytes.toString('base64')
}

const CASES: [name: string, proof: object, says: RegExp, image: string | null][] = [
  ['a photo', { kind: 'photo', image: JPEG }, /photo/, 'image/jpeg'],
  ['a photo of a rare kind', { kind: 'photo', image: canvasPng(16) }, /The image is kept/, 'image/png'],
  ['a signature picture', { kind: 'signature', image: canvasPng(), signed_by: 'Bo' }, /Bo/, 'image/png'],
  ['strokes', { kind: 'signature', strokes: [[0, 0, 500, 400, 1000, 0]] }, /drawn signature/, null],
]

test('a proof is a PDF and a picture, with a bearer token or its signed URL', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  for (const [index, [name, proof, says, image]] of CASES.entries()) {
    const { id } = await ownDelivery(api)
    await sam.call(`POST /driver/jobs/${id}/accept`)
    const early = await api.call(`GET /demo/deliveries/${id}/proof`)
    assert.equal(early.json.code, 'proof_not_available', name)
    const minute = 10 * (index + 2)
    await api.fixture.setClock(TUESDAY_TEN_MS + minute * 60_000)
    const at = `2026-11-24T10:${minute - 1}:00+11:00`
    const body = { proof: { id: 'proof-of-it', at, ...proof } }
    const delivered = await sam.call(`POST /driver/jobs/${id}/deliver`, { body })
    assert.equal(delivered.status, 200, delivered.text)

    const { data } = (await api.call(`GET /demo/deliveries/${id}`)).json
    const signed = data.proof_url.replace('http://drover.test', '')
    const opened = await api.call(`GET ${signed}`, { token: null })
    assert.equal(opened.headers['content-type'], 'application/pdf', name)
    assertHarmless(opened, 'inline; filename="proof.pdf"')
    assert.equal((await api.call(`GET ${signed}x`, { token: null })).status, 403)
    if (!without('pdftotext')) {
      const [page = ''] = textOf(opened.bytes)
      assert.match(page, says, name)
      assert.ok(page.includes(`24 Nov 2026, 10:${minute - 1}`), page)
      assert.match(page, /Sam Okafor/)
      assert.match(page, /12 Drummond Street, Carlton VIC 3053/)
    }
    const picture = await api.call(`GET /demo/deliveries/${id}/proof?format=image`)
    if (image === null) assert.equal(picture.json.code, 'proof_not_available')
    else {
      assert.equal(picture.headers['content-type'], image)
      assertHarmless(picture, `inline; filename="proof.${image === 'image/png' ? 'png' : 'jpg'}"`)
      assert.equal(picture.bytes.toString('base64'), (proof as { image: string }).image)
    }
  }
})

test('the proof of a customer pickup goes from the customer to the store, by the store’s clock', {
  skip: without('pdftotext'),
}, async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const brisbane = { ...address, city: 'Brisbane', state: 'QLD', post_code: '4000' }
  const { id } = await ownDelivery(api, SAM, { delivery_mode: 'customer_pickup', address: brisbane })
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const proof = { id: 'proof-0001', kind: 'photo', image: JPEG }
  const delivered = await sam.call(`POST /driver/jobs/${id}/deliver`, { body: { proof } })
  assert.equal(delivered.status, 200, delivered.text)
  const [page = ''] = textOf((await api.call(`GET /demo/deliveries/${id}/proof`)).bytes)
  assert.match(page, /12 Drummond Street, Brisbane QLD 4000 +Wattle & Co, Fitzroy/)
  assert.match(page, /24 Nov 2026, 10:00/)
})

test('the customer’s PIN proves a delivery; after five wrong ones it no longer does', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const startJob = async () => {
    const { id, delivery_pin: pin } = await ownDelivery(api)
    assert.match(pin, /^\d{4}$/)
    const accepted = await sam.call(`POST /driver/jobs/${id}/accept`)
    assert.doesNotMatch(accepted.text, new RegExp(`"${pin}"|pin"`), 'the driver does not see it')
    const deliver = (message: string) =>
      sam.call(`POST /driver/jobs/${id}/deliver`, {
        body: { proof: { id: 'proof-pin', kind: 'pin', pin: message } },
      })
    return { pin, deliver, wrong: String((Number(pin) + 1) % 10_000).padStart(4, '0') }
  }
  const first = await startJob()
  assert.match((await first.deliver(first.wrong)).json.detail, /4 tries left/)
  assert.equal((await first.deliver(first.pin)).json.data.status, 'delivered')

  const second = await startJob()
  for (let tries = 0; tries < 5; tries++) assert.equal((await second.deliver(second.wrong)).status, 422)
  assert.match((await second.deliver(second.pin)).json.detail, /photo or get a signature/)
  const { status, json } = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  assert.equal(status, 201)
  assert.equal(json.data.delivery_pin, undefined, 'only where staff couriers deliver')
})

test('a stored photo is upright and has no place or device in it', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api)
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const image = phonePhoto(6).toString('base64')
  const body = { proof: { id: 'proof-of-it', kind: 'photo', image, place: 'at_door' } }
  assert.equal((await sam.call(`POST /driver/jobs/${id}/deliver`, { body })).status, 200)
  const { json } = await api.call(`GET /demo/deliveries/${id}`)
  const tracked = new URL(json.data.tracking_url).pathname
  for (const [path, call] of [
    [`/demo/deliveries/${id}/proof?format=image`, {}],
    [`${tracked}/photo`, { token: null }],
  ] as const) {
    const { bytes } = await api.call(`GET ${path}`, call)
    for (const marker of METADATA) assert.ok(!bytes.includes(marker), `${path} holds ${marker}`)
    assert.equal(orientationOf(bytes.subarray(bytes.indexOf('Exif') + 6)), 6, path)
  }
  const paper = await api.call(`GET /demo/deliveries/${id}/proof`)
  for (const marker of METADATA) assert.ok(!paper.bytes.includes(marker), marker)
})

test('an incomplete image is rejected with its field, the rule and a remedy', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const { id } = await ownDelivery(api)
  await sam.call(`POST /driver/jobs/${id}/accept`)
  const whole = phonePhoto(1)
  const cases: [bytes: Buffer, says: RegExp][] = [
    [
      whole.subarray(0, whole.length - 40),
      /complete JPEG or PNG, but it is cut off before its end\. Take the photo again/,
    ],
    [Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'), /it holds no picture/],
    [Buffer.from('GIF89a'), /must be a JPEG or a PNG\. Send the photo/],
  ]
  for (const [bytes, says] of cases) {
    const image = bytes.toString('base64')
    const proof = { id: 'proof-of-it', kind: 'photo', image }
    const { status, json } = await sam.call(`POST /driver/jobs/${id}/deliver`, { body: { proof } })
    assert.equal(status, 422)
    assert.equal(json.errors[0].field, 'proof.image')
    assert.match(json.errors[0].message, says)
  }
})
