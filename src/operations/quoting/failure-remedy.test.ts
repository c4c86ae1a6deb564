import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRemedy } from './failure-remedy.ts'

const fileError = (code: string, syscall: string, path: string) =>
  Object.assign(coded(code), { syscall, path })
const coded = (code: string) => Object.assign(new Error('failed'), { code })

test('a set-up failure names its remedy', () => {
  const cases: [error: unknown, remedy: RegExp | null][] = [
    [coded('EADDRINUSE'), /set PORT/],
    [coded('53100'), /free space/],
    [coded('28P01'), /password in DATABASE_URL/],
    [new Error('Migration 0001 failed', { cause: coded('53100') }), /free space/],
    [coded('ECONNREFUSED'), /No PostgreSQL listens/],
    [coded('ENOTFOUND'), /No host has that name/],
    [coded('EAI_AGAIN'), /name server/],
    [coded('ETIMEDOUT'), /firewall/],
    [coded('3D000'), /create database drover owner drover/],
    [coded('28000'), /pg_hba\.conf.*sslmode/],
    [coded('3F000'), /alter schema public owner/],
    [coded('42501'), /lacks a privilege.*owner to drover/],
    [new Error('Migration 0001 failed', { cause: coded('42501') }), /lacks a privilege/],
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), /sslrootcert/],
    [new Error('The server does not support SSL connections'), /ssl = on/],
    [coded('57P03'), /PostgreSQL runs/],
    [new Error('timeout exceeded when trying to connect'), /PostgreSQL runs/],
    [new AggregateError([coded('ECONNREFUSED')]), /No PostgreSQL listens/],
    [fileError('ENOENT', 'open', '/no/such/folder/x.csv'), /file or folder that exists.*\/no\/such/],
    [fileError('EACCES', 'open', '/var/lib/x.csv'), /may read and write/],
    [fileError('ENOSPC', 'write', '/full/x'), /disk is full/],
    [Object.assign(coded('EACCES'), { syscall: 'listen' }), /PORT above 1023/],
    [new TypeError('x is not a function'), null],
    ['a word', null],
  ]
  for (const [error, remedy] of cases) {
    const found = findRemedy(error)
    if (remedy === null) assert.equal(found, null)
    else assert.match(found ?? 'nothing', remedy)
  }
})
