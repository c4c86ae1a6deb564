import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { type Ran, runProgram } from '../../../test/program.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const DEMO = fileURLToPath(new URL('../../../examples/demo-account.yaml', import.meta.url))

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})

function drover(args: string[], { input = '', cwd = FIXTURES } = {}): Promise<Ran> {
  const env = { DATABASE_URL: database.url, DROVER_SECRET_KEY: 'k'.repeat(43) }
  return runProgram(args, { input, cwd, env })
}

/** A copy of the demo document under another tenant id, so that tests do not collide. */
async function demoAs(tenantId: string, change: (yaml: string) => string = (yaml) => yaml): Promise<string> {
  return change((await readFile(DEMO, 'utf8')).replace('tenant_id: demo ', `tenant_id: ${tenantId} `))
}

test('validate reports every mistake in a file with line, column, path and remedy', async () => {
  const { code, out, err } = await drover(['account', 'validate', 'broken.yaml'])
  assert.equal(err, await readFile(join(FIXTURES, 'broken.txt'), 'utf8'))
  assert.deepEqual({ code, out }, { code: 1, out: '' })
})

test('plan and apply reject a file with mistakes', async () => {
  for (const verb of ['plan', 'apply']) assert.equal((await drover(['account', verb, 'broken.yaml'])).code, 1)
  assert.equal((await drover(['account', 'export', 'broken'])).code, 1)
  for (const verb of ['validate', 'plan', 'apply']) {
    const { out, err } = await drover(['account', verb, 'broken.yaml', '--json'])
    assert.ok(JSON.parse(out).mistakes.length > 1, out)
    assert.equal(err, '', verb)
  }
})

test('validate reports a duplicate name together with all other mistakes', async () => {
  const { err } = await drover(['account', 'validate', '-'], { input: 'name: a\nname: b\nmode: liv\n' })
  assert.match(err, /^stdin:2:1 {2}Map keys must be unique/)
  assert.match(err, /\nstdin:3:7 {2}mode {2}is "liv" {2}→ Did you mean "live"\?\n/)
})

test('validate, plan and apply warn of a name too long for a label, with its line and remedy', async () => {
  const input = await demoAs('long-name', (yaml) =>
    yaml.replace('    name: Wattle & Co\n', `    name: ${'W'.repeat(200)}\n`),
  )
  for (const verb of ['validate', 'plan', 'apply']) {
    const { code, out, err } = await drover(['account', verb, '-'], { input })
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(
      err,
      /^stdin:\d+:11 {2}brands\[0\]\.name {2}is too long to print on a label; at most about 68 letters like these fit {2}→ shorten it\n/,
    )
  }
})

test('validate reports the position of YAML syntax errors', async () => {
  const { code, err } = await drover(['account', 'validate', '-'], {
    input: 'name: a\nname: b\nhours: "09:00\n',
  })
  assert.equal(code, 1)
  assert.match(
    err,
    /^stdin:2:1 {2}Map keys must be unique {2}→ keep one of the two\nstdin:4:1 {2}Missing closing/,
  )
})

test('plan, apply, change and export print what changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'drover-cli-'))
  try {
    const file = join(folder, 'shop.yaml')
    await writeFile(file, await demoAs('shop'))
    const planned = await drover(['account', 'plan', file])
    assert.match(planned.out, /^\+ account shop\n.*\+ store fitzroy\n.*It would be version 1 of shop\.\n$/s)
    assert.match((await drover(['account', 'apply', file])).out, /Version 1 of shop is in use\.\n$/)
    assert.equal(
      (await drover(['account', 'apply', file])).out,
      'No changes: version 1 of shop is the same.\n',
    )

    await writeFile(
      file,
      await demoAs('shop', (yaml) =>
        yaml
          .replace('mon-sat: "09:00-17:30", sun: closed', 'mon-sat: "09:00-17:30", sun: "10:00-16:00"')
          .replace('reference: parramatta', 'reference: geelong')
          .replace('base_cents: 4500', 'base_cents: 4600'),
      ),
    )
    assert.equal(
      (await drover(['account', 'apply', file])).out,
      [
        '~ store fitzroy: hours.sun closed → 10:00-16:00',
        '+ store geelong',
        '- store parramatta',
        '~ service big_haul FREIGHT: price.base_cents 4500 → 4600',
        'Version 2 of shop is in use.',
        '',
      ].join('\n'),
    )

    await writeFile(file, (await drover(['account', 'export', 'shop'])).out)
    assert.equal(
      (await drover(['account', 'plan', file])).out,
      'No changes: version 2 of shop is the same.\n',
    )
    const { out } = await drover(['account', 'apply', file, '--json', '--dry-run'])
    assert.deepEqual(JSON.parse(out), {
      tenant_id: 'shop',
      version: 2,
      changed: false,
      applied: false,
      plan: [],
      warnings: [],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a client is created, listed and revoked; a secret is stored and listed by name only', async () => {
  await drover(['account', 'apply', '-'], { input: await demoAs('clients') })
  const account = ['--account', 'clients', '--json']
  const created = JSON.parse(
    (await drover(['client', 'create', '--name', 'Till', '--scope', 'quotes', ...account])).out,
  )
  const listed = async () => JSON.parse((await drover(['client', 'list', ...account])).out)
  assert.deepEqual(
    (await listed()).map((row: { client_id: string; last_used_at: null }) => [
      row.client_id,
      row.last_used_at,
    ]),
    [[created.client_id, null]],
  )
  assert.equal((await drover(['client', 'revoke', created.client_id, '--account', 'clients'])).code, 0)
  assert.deepEqual(await listed(), [])

  const stored = await drover(['secret', 'set', 'swiftly-api-key', '--account', 'clients'], {
    input: 'sk_live_1\n',
  })
  assert.equal(stored.out, 'Stored swiftly-api-key of clients.\n')
  const { out } = await drover(['secret', 'list', ...account])
  assert.match(out, /swiftly-api-key/)
  assert.doesNotMatch(out, /sk_live/)
})

test('a failed command exits with 1, a command line that is not understood with 2', async () => {
  const cases = [
    [['account', 'export', 'nobody'], 1, /There is no account nobody\./],
    [
      ['client', 'create', '--account', 'nobody', '--name', 'x', '--scope', 'quotes'],
      1,
      /There is no account nobody\./,
    ],
    [['account', 'validate', 'absent.yaml'], 2, /There is no file absent\.yaml\./],
    [['acount'], 2, /Did you mean account\?/],
    [['client', 'create', '--account', 'demo'], 2, /required option/],
  ] as const
  for (const [args, code, message] of cases) {
    const ran = await drover([...args])
    assert.equal(ran.code, code, args.join(' '))
    assert.match(ran.err, message)
  }
})
