import pg from 'pg'

/** From here on, this process has a clock that starts at `startMs`. Returns the shift in milliseconds. */
export function shiftClock(startMs: number): number {
  const shiftMs = startMs - Date.now()
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...parts: readonly number[]) {
      super(...((parts.length === 0 ? [RealDate.now() + shiftMs] : parts) as [number]))
    }
    static override now(): number {
      return RealDate.now() + shiftMs
    }
  } as DateConstructor
  return shiftMs
}

/**
 * Gives a migrated database the same clock. Our SQL calls `now()` and `clock_timestamp()` without a schema, so ours
 * come first in the search path; a column's default keeps the function that it was made with, so each is made again.
 */
export async function shiftDatabaseClock(url: string, shiftMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`create schema shifted;
      create function shifted.now() returns timestamptz language sql stable
        as $$ select pg_catalog.now() + interval '${shiftMs} milliseconds' $$;
      create function shifted.clock_timestamp() returns timestamptz language sql volatile
        as $$ select pg_catalog.clock_timestamp() + interval '${shiftMs} milliseconds' $$;
      alter database ${rows[0]?.name} set search_path = shifted, pg_catalog, public;
      do $$ declare one record; begin
        for one in
          select adrelid::regclass as owner, attname from pg_attrdef
          join pg_attribute on attrelid = adrelid and attnum = adnum
          where pg_get_expr(adbin, adrelid) = 'now()'
        loop
          execute format('alter table %s alter column %I set default shifted.now()', one.owner, one.attname);
        end loop;
      end $$`)
  } finally {
    await client.end()
  }
}
