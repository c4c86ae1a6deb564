import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { type Ran, runProgram } from '../../../test/program.ts'
import { runCommand } from '../program.ts'

const DEMO = fileURLToPath(new URL('../../../examples/demo-account.yaml', import.meta.url))
const SECRET_KEY = 'k'.repeat(43)

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})

/** Runs a command in this process: starting a process takes ten times as long as the command. */
async function drover(args: string[], { hasSmtp = true } = {}): Promise<Ran> {
  const lines = { log: '', error: '' }
  const mocks = (['log', 'error'] as const).map((to) =>
    mock.method(console, to, (line: string) => {
      lines[to] += `${line}\n`
    }),
  )
  const nothing = async () => {}
  const code = await runCommand(args, {
    ...{ start: nothing, api: nothing, worker: nothing },
    withService: async () => {
      throw new Error('No command of people needs it.')
    },
    withDatabase: (use) =>
      use({
        ...{ db: database.pool, secretKey: SECRET_KEY, oldSecretKeys: [], hasSmtp },
        publicUrl: 'http://drover.test',
      }),
    examine: async () => [],
    migrate: async () => [],
    distribute: async () => [],
    partition: async () => [],
    archiveStorage: () => ({ has: async () => true, put: async () => {} }),
  })
  for (const one of mocks) one.mock.restore()
  return { code, out: lines.log, err: lines.error }
}

/** Runs a command as people do: in its own process, which reads standard input. */
function typed(args: string[], input: string): Promise<Ran> {
  return runProgram(args, { input, env: { DATABASE_URL: database.url, DROVER_SECRET_KEY: SECRET_KEY } })
}

test('users are invited, added, listed, disabled and given a new password from the shell', async () => {
  assert.equal((await drover(['account', 'apply', DEMO])).code, 0)
  const at = ['--account', 'demo']
  const clerk = ['--role', 'store_clerk', '--store', 'fitzroy']
  const invited = await drover(['user', 'invite', 'Cleo@Shop.example', ...at, ...clerk, '--json'])
  const { status, store_references, invitation_url } = JSON.parse(invited.out)
  assert.deepEqual([status, store_references], ['invited', ['fitzroy']])
  assert.match(invitation_url, /\/portal\/welcome#demo\.[\w-]{43}$/)
  const again = await drover(['user', 'invite', 'cleo@shop.example', ...at, '--role', 'store_clerk'])
  assert.match(
    again.out,
    /welcome#demo\.[\w-]{43}\n\nGood for 7 days and one use\. Drover also mails it to cleo@shop\.example/,
  )
  const byHand = await drover(['user', 'invite', 'cleo@shop.example', ...at], { hasSmtp: false })
  assert.match(byHand.out, /does not mail it: send this link to cleo@shop\.example yourself\./)
  assert.doesNotMatch(byHand.out, /mails it|is mailed/)
  assert.ok(!again.out.includes(invitation_url), 'a new address')
  const elsewhere = ['--role', 'store_clerk', '--store', 'melbourne-cbd', '--json']
  const moved = JSON.parse((await drover(['user', 'invite', 'cleo@shop.example', ...at, ...elsewhere])).out)
  assert.deepEqual([moved.role, moved.store_references], ['store_clerk', ['melbourne-cbd']], 'role changed')

  const add = (email: string) => ['user', 'add', email, '--name', 'Olive']
  const [short, added] = await Promise.all([
    typed(add('x@us.example'), 'short\n'),
    typed(add('o@us.example'), 'a long enough phrase\n'),
  ])
  assert.deepEqual([short.code, /at least 10 characters/.test(short.err)], [1, true])
  assert.match(added.out, /^o@us\.example {2}Olive {2}operator {2}all stores {2}active\n$/)
  const reset = await drover(['user', 'reset-password', 'o@us.example'])
  assert.match(reset.out, /welcome#~\.[\w-]{43}\n\nGood for an hour.*send this link to/)

  assert.match((await drover(['user', 'disable', 'CLEO@shop.example', ...at])).out, /disabled\n$/)
  const listed = await drover(['user', 'list', ...at])
  assert.equal(listed.out, 'cleo@shop.example  –  store_clerk  melbourne-cbd  disabled\n')
  assert.match((await drover(['user', 'enable', 'cleo@shop.example', ...at])).out, /invited\n$/)

  const { rows } = await database.pool.query(
    `select account_id, action from audit_log where actor_kind = 'command' order by audit_id`,
  )
  assert.deepEqual(
    rows.map(({ account_id, action }) => `${account_id} ${action}`),
    [
      'demo applyAccount',
      'demo inviteUser',
      'demo inviteUserAgain',
      'demo inviteUserAgain',
      'demo changeUser',
      'demo inviteUserAgain',
      '~ addUser',
      '~ resetUserPassword',
      'demo changeUser',
      'demo changeUser',
    ],
  )
})

test('a user command that fails prints one sentence', async () => {
  const cases: [args: string[], message: RegExp][] = [
    [['invite', 'a@b.example', '--account', 'demo'], /Add --role/],
    [
      ['invite', 'a@b.example', '--account', 'demo', '--role', 'operator'],
      /Operators belong to the installation/,
    ],
    [['invite', 'a@b.example', '--account', 'nobody', '--role', 'merchant_admin'], /no account nobody/],
    [['disable', 'nobody@b.example', '--account', 'demo'], /There is no user nobody@b\.example/],
  ]
  for (const [args, message] of cases) {
    const { code, err } = await drover(['user', ...args])
    assert.notEqual(code, 0)
    assert.match(err, message)
  }
})
