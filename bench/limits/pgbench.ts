import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Statement, UNIQUE, UNIQUE_DIGITS } from './statement.ts'

/** Repeats a statement as fast as a client that does nothing else can. */
export type Repeat = {
  statement: Statement
  clients: number
  durationMs: number
  /** Each number once, from anew in every call of another `run`; or one of 1…n by chance. */
  numbers: { run: number } | { among: number }
}

/** PostgreSQL's own pgbench where this machine has one (Debian: postgresql-contrib or postgresql-15), else null. */
export function findPgbench(): string | null {
  const places = [
    '/usr/bin/pgbench',
    ...globSync('/usr/lib/postgresql/*/bin/pgbench'),
    '/opt/homebrew/bin/pgbench',
  ]
  return places.find((path) => existsSync(path)) ?? null
}

export function pgbenchVersion(path: string): string {
  return execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
}

/** Its first second goes to connecting and preparing, its last is not always reported. */
const BESIDE_SECONDS = 2

/** Transactions a second by pgbench's own reports of each second but the first. Prepared once for each client. */
export async function runPgbench(path: string, databaseUrl: string, repeat: Repeat): Promise<number> {
  const { statement, clients, durationMs, numbers } = repeat
  const url = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'drover-pgbench-'))
  try {
    const script = join(folder, 'script.sql')
    writeFileSync(script, scriptOf(statement, numbers))
    const values = statement.values.flatMap((value, index) =>
      value === null ? [] : ['-D', `p${index + 1}=${value}`],
    )
    const options = {
      '-M': 'prepared',
      '-c': clients,
      '-j': Math.min(clients, 2),
      '-T': Math.ceil(durationMs / 1_000) + BESIDE_SECONDS,
      '-P': 1,
      '-f': script,
      '-h': url.hostname,
      '-p': url.port,
      '-U': url.username,
    }
    const { stdout, stderr } = await promisify(execFile)(
      path,
      ['-n', ...Object.entries(options).flat().map(String), '-D', 'n=0', ...values, url.pathname.slice(1)],
      { env: { ...process.env, PGPASSWORD: url.password } },
    ).catch(({ stderr: said }) => {
      throw new Error(`pgbench failed: ${said}`)
    })
    const [, ...reports] = [...stderr.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map(([, tps]) =>
      Number(tps),
    )
    if (reports.length === 0 || /number of failed transactions: [1-9]/.test(stdout))
      throw new Error(stderr + stdout)
    return reports.reduce((sum, tps) => sum + tps, 0) / reports.length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Numbers grow with time over all clients, as ids do: `run`, then a count, then the client. */
function scriptOf({ text, values }: Statement, numbers: Repeat['numbers']): string {
  const set =
    'run' in numbers
      ? ['\\set n :n + 1', `\\set u ${numbers.run} * 100000000 + :n * 100 + :client_id`]
      : [`\\set u random(1, ${numbers.among})`]
  const sql = text.replace(/\$(\d+)/g, (_, index) => {
    const value = values[Number(index) - 1]
    if (value === null || value === undefined) return 'null'
    if (!value.includes(UNIQUE)) return `:p${index}`
    return `replace(:p${index}, '${UNIQUE}', lpad((:u)::text, ${UNIQUE_DIGITS}, '0'))`
  })
  const line = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()
  return `${set.join('\n')}\n${line};\n`
}
