import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { asUser, postgresUser } from '../../src/embedded/user.ts'
import { distribute } from '../../src/store/db/distribute.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { freePort } from '../packaged-process.ts'
import { until } from '../wait-until.ts'
import { type CleanUps, temporaryHome } from './clean-ups.ts'
import { type Crash, crashPostgres } from './crash-postgres.ts'
import { queryAt } from './database.ts'
import { findInstalledPostgres } from './installed-postgres.ts'

/** A Citus coordinator and two workers with Drover's tables, and a third worker that joins later. */
export type CitusCluster = {
  url: string
  /** Crashes the next node in turn, which is then restarted. False: that node was not running. */
  crash(kind: Crash): boolean
  /**
   * The first time, adds the third worker and gives it a share of the shards. Afterwards moves the account's shard to
   * the next worker. Logical replication lets writes continue during the move. Throws if a node fails.
   */
  rebalance(account: string): Promise<void>
}

const WORKERS = 3
/** Fewer than Citus's default of 32: moving a shard also moves the matching shard of every co-located table. */
const SHARDS = 8
/** A typical restart delay of a service manager. */
const RESTART_MS = 1_000
const MOVE_MS = 120_000
const SETTINGS = {
  ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '' },
  ...{ shared_preload_libraries: 'citus', max_connections: '300', max_prepared_transactions: '600' },
  // Citus moves a shard by logical replication.
  ...{ wal_level: 'logical', max_worker_processes: '32', max_replication_slots: '32', max_wal_senders: '32' },
  // The nodes listen on the loopback interface only.
  'citus.node_conninfo': 'sslmode=disable',
  // How often Citus recovers prepared transactions that a crash left behind, with their locks. The default is a minute.
  'citus.recover_2pc_interval': '5s',
}

/** URLs of the node: `server` of its database `postgres`, `url` of its database `drover`. */
type Node = { home: string; port: number; server: string; url: string }

/** Starts the cluster from the installed PostgreSQL, which needs the Citus extension; see docs/operations/citus.md. */
export async function startCitusCluster(
  cleanUps: CleanUps,
  settings: Readonly<Record<string, string>>,
): Promise<CitusCluster> {
  const nodes = await startNodes(cleanUps, 1 + WORKERS, settings)
  for (const { server, url } of nodes) {
    await queryAt(server, 'create database drover')
    await queryAt(url, 'create extension citus')
  }
  const [coordinator, first, second, spare] = nodes as [Node, Node, Node, Node]
  const add = ({ port }: Node) => `select citus_add_node('127.0.0.1', ${port})`
  await queryAt(
    coordinator.url,
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    add(first),
    add(second),
  )
  await migrate(coordinator.url)
  await distribute(coordinator.url, { shards: SHARDS })

  let [crashes, moves] = [0, 0]
  return {
    url: coordinator.url,
    crash(kind) {
      const node = nodes[crashes % nodes.length] as Node
      crashes += 1
      return crashPostgres(node.home, kind)
    },
    async rebalance(account) {
      const client = new pg.Client({ connectionString: coordinator.url, query_timeout: MOVE_MS })
      client.on('error', () => {})
      try {
        await client.connect()
        // Removes what a failed move left behind, such as a partial copy.
        await client.query('call citus_cleanup_orphaned_resources()')
        if (moves === 0) {
          await client.query(add(spare))
          await client.query('select rebalance_table_shards()')
        } else await client.query(MOVE, [account])
        moves += 1
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}

/** Starts a coordinator and two workers, for tests that create their own databases on them. Returns their URLs. */
export async function startCitusServers(
  cleanUps: CleanUps,
): Promise<{ coordinator: string; workers: string[] }> {
  const nodes = await startNodes(cleanUps, 3, FOR_TESTS)
  const [coordinator, ...workers] = nodes.map(({ server }) => server) as [string, ...string[]]
  return { coordinator, workers }
}

/** A test's database lasts for minutes, so nothing needs to survive a crash. */
const FOR_TESTS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

async function startNodes(
  cleanUps: CleanUps,
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<Node[]> {
  const home = temporaryHome(cleanUps)
  const nodes: Node[] = []
  for (let n = 0; n < count; n += 1)
    nodes.push(await startNode(cleanUps, join(home, `node-${n}`), { ...SETTINGS, ...settings }))
  return nodes
}

/** Moves the account's shard to the worker with the next port, or from the last worker to the first. */
const MOVE = `
  select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport)
  from citus_shards as s, lateral (
    select nodename, nodeport from pg_dist_node
    where isactive and shouldhaveshards and nodeport <> s.nodeport
    order by nodeport < s.nodeport, nodeport limit 1) as n
  where s.shardid = get_shard_id_for_distribution_column('accounts', $1::text)`

/** Starts a server, and restarts it whenever it exits. Without a password, it accepts every login. */
export async function startNode(
  cleanUps: CleanUps,
  home: string,
  settings: Readonly<Record<string, string>>,
  { password = '' } = {},
): Promise<Node> {
  const bin = findInstalledPostgres()
  const user = postgresUser()
  const data = join(home, 'postgres', 'data')
  for (const folder of [home, join(home, 'postgres')]) {
    mkdirSync(folder)
    if (user) chownSync(folder, user.uid, user.gid)
  }
  const passwordFile = join(home, 'postgres', 'password')
  writeFileSync(passwordFile, password)
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const auth = password === '' ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const initdb = ['-D', data, '-U', 'postgres', ...auth, '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(bin, 'initdb'), initdb, { ...asUser(user), cwd: '/', stdio: 'ignore' })
  const port = Number(await freePort())
  const args = Object.entries({ ...settings, port: `${port}` }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const log = openSync(join(home, 'log'), 'a')
  let isStopping = false
  let child: ChildProcess
  const start = (): void => {
    child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
      ...{ ...asUser(user), cwd: '/', stdio: ['ignore', log, log] },
      // libpq looks for certificates in `HOME`. The server's user may not read the home of the user who runs the test.
      env: { ...process.env, HOME: home },
    })
    child.once('exit', () => {
      if (!isStopping) setTimeout(start, RESTART_MS).unref()
    })
  }
  start()
  cleanUps.after(async () => {
    isStopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGQUIT')
    await once(child, 'exit')
  })
  const at = `postgres://postgres${password && `:${password}`}@127.0.0.1:${port}`
  const server = `${at}/postgres`
  await until(() => queryAt(server, 'select 1').catch(() => null), 'a Citus node answers')
  return { home, port, server, url: `${at}/drover` }
}
