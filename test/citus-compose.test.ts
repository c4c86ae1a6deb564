import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { parse } from 'yaml'
import { distribute } from '../src/store/db/distribute.ts'
import { migrate } from '../src/store/db/migrate.ts'
import { startNode } from './harness/citus-cluster.ts'
import { temporaryHome } from './harness/clean-ups.ts'
import { queryAt } from './harness/database.ts'
import { findInstalledPostgres, hasCitus } from './harness/installed-postgres.ts'

const PASSWORDS = { POSTGRES_PASSWORD: 'a'.repeat(48), DROVER_DATABASE_PASSWORD: 'b'.repeat(48) }

test('the SQL in deploy/citus/compose.yaml creates a cluster, and Drover distributes its tables over both workers', {
  skip: !hasCitus() && 'this needs Citus',
}, async (t: TestContext) => {
  const { services, configs } = parse(readFileSync('deploy/citus/compose.yaml', 'utf8'), { merge: true })
  const words: string[] = services.coordinator.command.slice(1).filter((word: string) => word !== '-c')
  const settings = Object.fromEntries(words.map((word) => word.split('=')))
  const home = temporaryHome(t)
  const nodes = new Map<string, Awaited<ReturnType<typeof startNode>>>()
  for (const name of ['worker-1', 'worker-2', 'coordinator'])
    nodes.set(
      name,
      await startNode(
        t,
        join(home, name),
        {
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          fsync: 'off',
          ...settings,
        },
        { password: PASSWORDS.POSTGRES_PASSWORD },
      ),
    )
  for (const [name, { port }] of nodes)
    for (const { source } of services[name].configs) {
      const file = join(home, `${name}-${source}.sql`)
      writeFileSync(file, onLoopback(withPasswords(configs[source].content), nodes))
      execFileSync(
        join(findInstalledPostgres(), 'psql'),
        ['-qX', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-f', file],
        {
          env: { ...process.env, PGPASSWORD: PASSWORDS.POSTGRES_PASSWORD },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      )
    }
  const url = `postgres://drover:${PASSWORDS.DROVER_DATABASE_PASSWORD}@127.0.0.1:${nodes.get('coordinator')?.port}/drover`
  await migrate(url)
  assert.ok((await distribute(url, { shards: 4 })).includes('deliveries'))
  const placements = await queryAt(
    url,
    `select distinct nodeport as port from citus_shards where table_name = 'deliveries'::regclass order by 1`,
  )
  assert.deepEqual(
    (placements as { port: number }[]).map(({ port }) => port),
    [nodes.get('worker-1'), nodes.get('worker-2')].map((node) => node?.port).sort(),
  )
})

/** Fills in the passwords, as compose does for `${NAME:?message}`. */
function withPasswords(text: string): string {
  return text.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: keyof typeof PASSWORDS) => PASSWORDS[name])
}

/** Replaces the nodes' host names and ports: in this test they all run on 127.0.0.1. */
function onLoopback(text: string, nodes: ReadonlyMap<string, { port: number }>): string {
  return text.replace(/'([\w-]+)', 5432/g, (_, name: string) => `'127.0.0.1', ${nodes.get(name)?.port}`)
}
