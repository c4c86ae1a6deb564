import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { jwtSigner } from './jwt.ts'

const signingSecret = Buffer.from('a secret of thirty-two bytes or so').toString('base64url')
const key = { developerId: 'dev', keyId: 'kid', signingSecret }
const NOON_S = 1_795_478_400

function parts(header: string) {
  const [head = '', claims = '', signature] = header.replace('Bearer ', '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { head: read(head), claims: read(claims), signed: `${head}.${claims}`, signature }
}

test('a token is a JWT with DoorDash’s version header, signed with the decoded secret', () => {
  const { head, claims, signed, signature } = parts(jwtSigner(key, () => NOON_S * 1_000)())
  assert.deepEqual(head, { alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1' })
  assert.deepEqual(claims, { aud: 'doordash', iss: 'dev', kid: 'kid', iat: NOON_S, exp: NOON_S + 300 })
  const secret = Buffer.from(signingSecret, 'base64url')
  assert.equal(signature, createHmac('sha256', secret).update(signed).digest('base64url'))
})

test('a token is renewed before its last minute and after the clock was set back', () => {
  const clock = { nowMs: NOON_S * 1_000 }
  const sign = jwtSigner(key, () => clock.nowMs)
  const issued = () => parts(sign()).claims.iat - NOON_S
  const tokens = [0, 239, 240, 480, -600].map((afterS) => {
    clock.nowMs = (NOON_S + afterS) * 1_000
    return issued()
  })
  assert.deepEqual(tokens, [0, 0, 240, 480, -600])
})
