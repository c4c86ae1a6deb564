import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { emptyDatabase, ON_CITUS, testDatabase } from '../../../test/database.ts'
import { migrate } from '../db/migrate.ts'
import { readMigrations } from '../db/migrations.ts'
import { findPartitioned, listPartitions, PARTITIONED_TABLES } from './monthly-partitions.ts'
import { partition } from './partition.ts'

const skip = ON_CITUS

test('indexes, keys, defaults and settings of every partition are those of the table before', {
  skip,
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  const describe = async (name: string) => {
    const { rows } = await pool.query(
      `select (select array_agg(regexp_replace(pg_get_indexdef(indexrelid), '^(CREATE (UNIQUE )?INDEX) .* (USING)', '\\1 \\3') order by 1)
          from pg_index where indrelid = c.oid) as indexes,
        (select array_agg(pg_get_constraintdef(oid) order by 1) from pg_constraint where conrelid = c.oid and contype in ('c', 'p', 'f')) as constraints,
        (select array_agg(attname || pg_get_expr(adbin, adrelid) order by 1) from pg_attrdef
          join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = c.oid) as defaults,
        reloptions as settings
       from pg_class as c where c.oid = to_regclass($1)`,
      [name],
    )
    const { indexes, constraints, ...others } = rows[0]
    // Dividing validates what is not yet validated.
    const validated = constraints.map((text: string) => text.replace(' NOT VALID', ''))
    return { indexes: indexes.toSorted(), constraints: validated.toSorted(), ...others }
  }
  if ((await findPartitioned(pool)).length > 0) return
  const before = new Map<string, Awaited<ReturnType<typeof describe>>>()
  for (const table of PARTITIONED_TABLES) before.set(table, await describe(table))
  await partition(url)
  for (const table of PARTITIONED_TABLES)
    for (const { name } of await listPartitions(pool, table)) {
      const { defaults, ...shape } = await describe(name)
      const { defaults: defaultsBefore, ...shapeBefore } = before.get(table) ?? assert.fail()
      assert.deepEqual(shape, shapeBefore, name)
      if (table !== 'events') assert.deepEqual(defaults, defaultsBefore, name)
    }
})

test('partitioning that was stopped half-way resumes', { skip }, async (t) => {
  const { url, pool } = await testDatabase(t)
  if ((await findPartitioned(pool)).length > 0) return
  const stop = new Error('stopped')
  const log = (line: string) => {
    if (line === 'Checking carrier_events.') throw stop
  }
  await assert.rejects(partition(url, { log }), stop)
  assert.deepEqual(await findPartitioned(pool), ['events', 'messages'])
  assert.deepEqual(await partition(url), ['carrier_events', 'booking_intents'])
  assert.deepEqual(await findPartitioned(pool), [...PARTITIONED_TABLES].sort())
})

test('later migrations also run on partitioned tables', { skip }, async (t) => {
  const LAST_BEFORE = 59
  const { url, pool } = await emptyDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'drover-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const migrations = await readMigrations()
  const [first, later] = [migrations.slice(0, LAST_BEFORE), migrations.slice(LAST_BEFORE)]
  for (const { name, sql } of first) writeFileSync(join(folder, name), sql)
  await migrate(url, { folder: pathToFileURL(`${folder}/`) })
  await partition(url)
  assert.deepEqual(
    (await migrate(url)).applied,
    later.map(({ name }) => name),
  )
  assert.deepEqual(await findPartitioned(pool), [...PARTITIONED_TABLES].sort())
})
