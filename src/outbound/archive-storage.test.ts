import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { s3Storage } from './archive-storage.ts'

const SECRET = 'secret-of-the-bucket'
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** AWS Signature Version 4, worked out again from the request as it arrived. */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, date, region, names, signature] =
    /Credential=AKTEST\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!date || !region || !names) return false
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const request = [method, url, '', signed.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const hash = createHash('sha256').update(request).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, date))
  return hmac(key, text).toString('hex') === signature
}

async function startBucket(t: TestContext) {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const path = decodeURIComponent(request.url ?? '')
    if (!isSigned(request)) {
      response
        .writeHead(403)
        .end('<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKTEST</AWSAccessKeyId></Error>')
    } else if (request.method === 'PUT') {
      objects.set(path, body)
      response.writeHead(200).end()
    } else response.writeHead(objects.has(path) ? 200 : 404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const storage = (secretAccessKey: string) =>
    s3Storage({
      ...{ bucket: 'drover-archive', prefix: 'production/', region: 'ap-southeast-2', endpoint },
      credentials: { accessKeyId: 'AKTEST', secretAccessKey },
    })
  return { objects, storage }
}

test('objects of a bucket are signed, found again and named below the prefix', async (t) => {
  const { objects, storage } = await startBucket(t)
  const bucket = storage(SECRET)
  const name = 'events/account=demo/month=2026-08/events.parquet'
  assert.equal(await bucket.has(name), false)
  await bucket.put(name, Buffer.from('PAR1'))
  assert.equal(await bucket.has(name), true)
  assert.deepEqual([...objects], [[`/drover-archive/production/${name}`, Buffer.from('PAR1')]])
})

test('when a bucket refuses, the error has its code but not the credentials', async (t) => {
  const { storage } = await startBucket(t)
  const bucket = storage('another secret')
  await assert.rejects(bucket.put('a', Buffer.from('x')), (error: Error) => {
    assert.equal(error.message, 'The bucket drover-archive refused a: 403 SignatureDoesNotMatch.')
    return true
  })
  await assert.rejects(
    bucket.has('a'),
    /answered 403 for a\. Check the bucket’s name, the region and the credentials\./,
  )
})
