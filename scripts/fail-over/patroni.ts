import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { asUser, postgresUser } from '../../src/embedded/user.ts'
import { childrenOf, signal } from '../../test/harness/children.ts'
import { findInstalledPostgres } from '../../test/harness/installed-postgres.ts'
import { freePort } from '../../test/packaged-process.ts'

/** Two PostgreSQL servers under Patroni, and etcd, all on this machine. */
export type PatroniCluster = {
  /** Names both servers, for Drover. */
  url: string
  leader(): Promise<string | null>
  /** Kills every process of the leader at once, as if its machine were gone, and returns its name. */
  killLeader(): Promise<string>
  /** Starts a killed server again. */
  start(name: string): void
  /** Waits until a server that `isWanted` accepts leads; with `withStandby`, also for a synchronous standby. */
  awaitLeader(isWanted: (name: string) => boolean, options: { withStandby: boolean }): Promise<void>
  /** Asks Patroni for a planned switchover to the other server. */
  switchOver(): Promise<void>
  stop(): Promise<void>
}

const PASSWORDS = {
  PATRONI_SUPERUSER_USERNAME: 'postgres',
  PATRONI_SUPERUSER_PASSWORD: 'superuser-of-the-test',
  PATRONI_REPLICATION_USERNAME: 'replicator',
  PATRONI_REPLICATION_PASSWORD: 'replicator-of-the-test',
  PATRONI_REWIND_USERNAME: 'rewinder',
  PATRONI_REWIND_PASSWORD: 'rewinder-of-the-test',
  DROVER_DATABASE_PASSWORD: 'drover-of-the-test',
}
const DEPLOY = resolve(import.meta.dirname, '../../deploy/patroni')
const PATIENCE_MS = 180_000
const LOOK_MS = 100

type Node = { name: string; port: number; restPort: number; folder: string; child: ChildProcess | null }
type Member = { name: string; role: string; state: string }

/**
 * `PATRONI` and `ETCD` name the programs: by default `patroni` and `etcd` in `PATH`. The settings are those of
 * deploy/patroni, with this machine's ports and folders.
 */
export async function startPatroni(home: string): Promise<PatroniCluster> {
  const bin = findInstalledPostgres()
  const user = postgresUser()
  const [patroni = '', ...patroniArgs] = (process.env.PATRONI ?? 'patroni').split(' ')
  const run = (program: string, args: readonly string[], log: string): ChildProcess => {
    const output = openSync(join(home, log), 'a')
    const env = { ...process.env, ...PASSWORDS, PATH: `${bin}${delimiter}${process.env.PATH}` }
    const child = spawn(program, args, { ...asUser(user), cwd: '/', env, stdio: ['ignore', output, output] })
    child.on('error', (error) => console.error(`${program}: ${error.message}`))
    return child
  }
  const folderOf = (name: string): string => {
    const folder = join(home, name)
    mkdirSync(folder)
    chmodSync(folder, 0o700)
    if (user) chownSync(folder, user.uid, user.gid)
    return folder
  }

  const [etcdPort, peerPort] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`]
  const etcdArgs = {
    '--data-dir': folderOf('etcd'),
    '--listen-client-urls': client,
    '--advertise-client-urls': client,
    '--listen-peer-urls': peer,
    '--initial-advertise-peer-urls': peer,
    '--initial-cluster': `default=${peer}`,
  }
  const etcd = run(process.env.ETCD ?? 'etcd', Object.entries(etcdArgs).flat(), 'etcd.log')

  const script = join(home, 'create-drover.sh')
  copyFileSync(join(DEPLOY, 'create-drover.sh'), script)
  chmodSync(script, 0o755)
  const nodes: Node[] = []
  for (const name of ['db1', 'db2']) {
    const [port, restPort] = [Number(await freePort()), Number(await freePort())]
    const folder = folderOf(name)
    const settings = parse(readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8'))
    settings.name = name
    settings.restapi = { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` }
    settings.etcd3.hosts = [`127.0.0.1:${etcdPort}`]
    settings.bootstrap.post_bootstrap = script
    Object.assign(settings.postgresql, {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      pgpass: join(folder, 'pgpass'),
      bin_dir: bin,
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '' },
    })
    const file = join(folder, 'patroni.yml')
    writeFileSync(file, stringify(settings))
    if (user) chownSync(file, user.uid, user.gid)
    nodes.push({ name, port, restPort, folder, child: null })
  }
  const start = (name: string): void => {
    const node = nodes.find((one) => one.name === name) as Node
    node.child = run(patroni, [...patroniArgs, join(node.folder, 'patroni.yml')], `${name}.log`)
  }
  const members = async (): Promise<Member[]> => {
    for (const { restPort } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => null)
      if (answer) return answer.members
    }
    return []
  }
  const leader = async (): Promise<string | null> =>
    (await members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null
  const awaitLeader: PatroniCluster['awaitLeader'] = async (isWanted, { withStandby }) => {
    for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
      const all = await members()
      const leads = all.some(
        ({ name, role, state }) => role === 'leader' && state === 'running' && isWanted(name),
      )
      const follows = all.some(({ role, state }) => role === 'sync_standby' && state === 'streaming')
      if (leads && (follows || !withStandby)) return
      if (performance.now() > endMs)
        throw new Error(
          `The cluster did not reach the expected state in time: ${JSON.stringify(all)}. See the logs in ${home}.`,
        )
    }
  }

  start('db1')
  await awaitLeader(() => true, { withStandby: false })
  start('db2')
  await awaitLeader(() => true, { withStandby: true })
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    url: `postgres://drover:${PASSWORDS.DROVER_DATABASE_PASSWORD}@${hosts}/drover`,
    leader,
    async killLeader() {
      const name = await leader()
      const node = nodes.find((one) => one.name === name)
      if (!node?.child?.pid) throw new Error('There is no leader to kill.')
      const postmaster = Number(
        readFileSync(join(node.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
      )
      signal(node.child.pid, 'SIGKILL')
      for (const one of [postmaster, ...childrenOf(postmaster)]) signal(one, 'SIGKILL')
      return node.name
    },
    start,
    awaitLeader,
    async switchOver() {
      const from = await leader()
      const node = nodes.find(({ name }) => name === from) as Node
      const response = await fetch(`http://127.0.0.1:${node.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from, candidate: nodes.find(({ name }) => name !== from)?.name }),
      })
      if (!response.ok) throw new Error(`Patroni refused the switchover: ${await response.text()}`)
    },
    async stop() {
      // Patroni stops its PostgreSQL.
      const stopped = nodes.flatMap(({ child }) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return []
        child.kill('SIGTERM')
        return once(child, 'close')
      })
      await Promise.all(stopped)
      etcd.kill('SIGTERM')
      if (etcd.exitCode === null) await once(etcd, 'close')
    },
  }
}
