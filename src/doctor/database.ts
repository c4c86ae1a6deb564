import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { readMigrations } from '../store/db/migrations.ts'
import { tooOld } from '../store/db/server-version.ts'
import { good, wrong } from './finding.ts'

const MAX_APART_MS = 2_000

type Server = {
  version: string
  number: number
  superuser: boolean
  may_create: boolean
  role: string
  fsync: string
  pages: string
  now: number
}

/**
 * Checks the server itself: version, role, durability settings, its clock against this machine's. Throws when
 * it cannot be reached.
 */
export async function checkServer(db: Pool): Promise<Finding[]> {
  const askedMs = Date.now()
  const { rows } = await db.query<Server>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       (select rolsuper from pg_roles where rolname = current_user) as superuser, current_user as role,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
       current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, clock_timestamp() as now`,
  )
  const server = rows[0] as Server
  // The server read its clock between the query and its result.
  const apartMs = Math.max(0, askedMs - server.now, server.now - Date.now())
  return [
    tooOld(server) === null
      ? good('database', `PostgreSQL ${server.version} answers.`)
      : wrong('database', `PostgreSQL ${server.version} is too old.`, 'Use PostgreSQL 15 or newer.'),
    server.superuser
      ? wrong(
          'database role',
          `${server.role} is a superuser.`,
          'Let Drover sign in as the plain owner of its database.',
        )
      : good('database role', `${server.role} is no superuser.`),
    ...(server.may_create
      ? []
      : [
          wrong(
            'database privileges',
            `The role ${server.role} lacks a privilege: it cannot create tables in this database.`,
            `As a superuser, in this database: alter schema public owner to ${server.role};`,
          ),
        ]),
    server.fsync === 'on' && server.pages === 'on'
      ? good('fsync', 'Commits are written to the disk.')
      : wrong(
          'fsync',
          'The server does not wait for the disk: a power cut may lose or damage committed data.',
          'Set fsync and full_page_writes to on in postgresql.conf.',
        ),
    apartMs <= MAX_APART_MS
      ? good('clock', 'This machine and the database agree about the time.')
      : wrong(
          'clock',
          `This machine and the database are ${(apartMs / 1_000).toFixed(1)} s apart.`,
          'Synchronise both clocks by NTP: leases and windows depend on them.',
        ),
  ]
}

/** Whether the schema matches this code. Checks that need tables run only after this one. */
export async function checkSchema(db: Pool): Promise<Finding> {
  const migrations = await readMigrations()
  const table = await db.query(`select to_regclass('schema_migrations') is not null as present`)
  const { rows } = table.rows[0].present
    ? await db.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
    : { rows: [] }
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const unknown = [...applied.keys()].filter((name) => !migrations.some((one) => one.name === name))
  if (unknown.length > 0) {
    const message = `The database is newer than this Drover: it has ${unknown.join(', ')}.`
    return wrong('schema', message, 'Run the newer Drover.')
  }
  const pending = migrations.filter(({ name }) => !applied.has(name))
  if (pending.length > 0) {
    const message = `${pending.length} of ${migrations.length} migrations are not applied.`
    return wrong('schema', message, 'drover migrate')
  }
  const changed = migrations.filter(({ name, checksum }) => applied.get(name) !== checksum)
  if (changed.length > 0) {
    const message = `${changed.map(({ name }) => name).join(', ')} changed after it was applied.`
    return wrong('schema', message, 'Restore the file, and put the change in a new migration.')
  }
  return good('schema', `All ${migrations.length} migrations are applied.`)
}
