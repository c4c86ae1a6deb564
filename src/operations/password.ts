import { scrypt } from 'node:crypto'
import { Refusal } from '../domain/errors.ts'
import { emailKey, passwordMistake } from '../domain/people/user.ts'
import { sign } from './sign.ts'

/** OWASP's figures for scrypt at 32 MiB; node:crypto's argon2 is still experimental. About a quarter of a second. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 } as const
const KIND = 'scrypt-15-8-3'

/**
 * What is stored of a password. The salt is made of the address with our secret key: whoever steals the database
 * alone can try nothing, and one computation answers for an address in one account, in several or in none, so
 * the time it takes says nothing.
 */
export async function passwordHash(secretKey: string, email: string, password: string): Promise<string> {
  const salt = Buffer.from(sign(secretKey, 'password-salt', emailKey(email)), 'base64url')
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, 32, COST, (error, made) =>
      error ? reject(error) : resolve(made),
    ),
  )
  return `${KIND}$${key.toString('base64url')}`
}

/** Refuses `invalid_request` with what a password must be. */
export function requirePassword(password: string, email: string): void {
  const message = passwordMistake(password, email)
  if (message === null) return
  throw new Refusal('invalid_request', message, {
    issues: [{ field: 'password', issue: 'invalid_value', message }],
  })
}
