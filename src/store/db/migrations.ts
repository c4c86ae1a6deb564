import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** One file of `migrations/`: `0007_manifest_groups.sql` is version 7. */
export type Migration = {
  version: number
  name: string
  sql: string
  checksum: string
  /** False for a file that begins `-- no-transaction`: `create index concurrently` cannot run inside one. */
  transactional: boolean
}

const FOLDER = new URL('../../../migrations/', import.meta.url)
const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** The migrations in order. Throws if a file is misnamed or two files have one number. */
export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  const twice = migrations.find(({ version }, index) => version === migrations[index - 1]?.version)
  if (twice) throw new Error(`Two migrations have the number of ${twice.name}.`)
  return migrations
}

async function readMigration(folder: URL, name: string): Promise<Migration> {
  const version = Number(NAME.exec(name)?.[1])
  if (!version) throw new Error(`${name} is not a migration’s name. Name it like 0007_manifest_groups.sql.`)
  const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version, name, sql, checksum, transactional: !sql.startsWith('-- no-transaction') }
}
