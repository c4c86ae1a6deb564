import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutFields, cutLists } from './cut-response.ts'
import { textStabiliser } from './stable-text.ts'

const DELIVERY = 'dlv_01m80k4x85t5pkx37cdmsrbqdx'
const OTHER = 'dlv_01m80k4xbzv6e8tnevgk7q5g7m'
const SAMPLE = 'dlv_01kax3v8y2m4s6t8w0z2b4d6f8'
const known = new Map([
  [DELIVERY, SAMPLE],
  ['http://127.0.0.1:44739', '$BASE'],
])

test('two runs give the same text, and a value is the same in every text', () => {
  const runs = [
    [
      `{"id":"${OTHER}","at":"2026-11-22T03:00:14.512Z","from":"2026-11-22T14:40:25+11:00"}`,
      `{"url":"http://127.0.0.1:44739/x/${OTHER}?exp=1797908423&sig=eXXrFDSI6knUic7TsCsWW7Od94IRPNd2oW1-b4t1FyM"}`,
      '{"consignment_number":"SWFRQT9418VNJTE","article_id":"SWFRQT9418VNJTE001","delivery_pin":"6327"}',
    ],
    [
      `{"id":"${OTHER.replace('01m8', '01m9')}","at":"2026-11-22T03:00:59.001Z","from":"2026-11-22T14:41:02+11:00"}`,
      `{"url":"http://127.0.0.1:44739/x/${OTHER.replace('01m8', '01m9')}?exp=1797908430&sig=rlI__oOjP4kv7UGsF_own2YJQg-ES9h17PrIHEhVqJE"}`,
      '{"consignment_number":"SWFAQCVTT3AZYT0","article_id":"SWFAQCVTT3AZYT0001","delivery_pin":"4741"}',
    ],
  ].map((texts) => texts.map(textStabiliser(known)))
  assert.deepEqual(runs[0], runs[1])
  const [first, second, third] = (runs[0] as string[]).map((text) => JSON.parse(text))
  assert.match(first.id, /^dlv_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.equal(first.at, '2026-11-22T03:00:00.000Z')
  assert.equal(first.from, '2026-11-22T14:40:00+11:00')
  assert.ok(second.url.startsWith(`$BASE/x/${first.id}?exp=1797908400&sig=`), second.url)
  assert.doesNotMatch(second.url, /eXXrFDSI6knUic7TsCsWW7Od94IRPNd2oW1/)
  assert.equal(third.article_id, `${third.consignment_number}001`)
})

test('a value with a sample becomes its sample; words, images and the end of a day stay', () => {
  const stabilise = textStabiliser(known)
  assert.equal(stabilise(`"${DELIVERY}-1"`), `"${SAMPLE}-1"`)
  for (const text of [
    '"no_services_for_the_address_of_this_delivery"',
    '"data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPg+/aHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmc1="',
    '"2026-11-25T23:59:59+11:00"',
    '"2026-11-25T14:15:00+11:00"',
    '"+61491570156"',
  ])
    assert.equal(stabilise(text), text)
  assert.notEqual(stabilise(`"${OTHER}"`), `"${OTHER}"`)
  assert.notEqual(
    stabilise('"demo.tZlS6zM3GPJlM5ZqQXS8kpw5g3OyV5hzIpnATteon1M"').slice(0, 12),
    '"demo.tZlS6z',
  )
})

test('a response is cut to two entries a list, and a long one to the fields that it needs', () => {
  assert.deepEqual(cutLists({ data: [1, 2, 3], more: { list: [[1, 2, 3], 4, 5] } }), {
    data: [1, 2],
    more: { list: [[1, 2], 4] },
  })
  const long = 'x'.repeat(2_500)
  const body = { data: { id: 'a', first: long, second: long, last: 'z' } }
  const needsId = (value: unknown) => (value as { data?: { id?: string } }).data?.id !== undefined
  assert.deepEqual(cutFields(body, needsId), { value: { data: { id: 'a', first: long } }, isCut: true })
  assert.deepEqual(cutFields({ data: 'short' }, needsId), { value: { data: 'short' }, isCut: false })
  assert.throws(() => cutFields(body, () => false), /Every field is required/)
})
