import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Numbers, type Repeat, type Statement, UNIQUE, UNIQUE_DIGITS } from './statement.ts'

/**
 * PostgreSQL's own pgbench, if this machine has one (Debian: postgresql-contrib or postgresql-15); otherwise null.
 */
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

/** pgbench uses its first second to connect and prepare, and does not always report its last. */
const BESIDE_SECONDS = 2
/** A run without a measurement in this time has a fault. */
const MAX_MS = 30_000

/** Repetitions a second by pgbench's own report. Statements are prepared once for each client. */
export async function runPgbench(path: string, databaseUrl: string, repeat: Repeat): Promise<number> {
  const { statements, clients, numbers } = repeat
  const url = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'drover-pgbench-'))
  try {
    const script = join(folder, 'script.sql')
    writeFileSync(
      script,
      `${[...numberLines(numbers, clients), ...statements.flatMap(linesOf)].join('\n')}\n`,
    )
    const values = statements.flatMap((statement, at) =>
      statement.values.flatMap((value, index) =>
        value === null ? [] : ['-D', `${nameOf(at, index + 1)}=${value}`],
      ),
    )
    const options = {
      '-M': 'prepared',
      '-c': clients,
      '-j': Math.min(clients, 2),
      '-f': script,
      '-h': url.hostname,
      '-p': url.port,
      '-U': url.username,
      ...endOf(numbers, clients),
    }
    const { stdout, stderr } = await promisify(execFile)(
      path,
      ['-n', ...Object.entries(options).flat().map(String), '-D', 'n=0', ...values, url.pathname.slice(1)],
      { env: { ...process.env, PGPASSWORD: url.password } },
    ).catch(({ stderr: message }) => {
      throw new Error(`pgbench failed: ${message}`)
    })
    if (/number of failed transactions: [1-9]/.test(stdout)) throw new Error(stderr + stdout)
    const rate = ('count' in numbers ? null : steadily(stderr)) ?? overall(stdout)
    if (rate > 0) return rate
    // A busy machine may need the whole time to connect the clients: nothing was measured yet.
    if ('count' in numbers || numbers.durationMs > MAX_MS) throw new Error(stdout)
    return await runPgbench(path, databaseUrl, {
      ...repeat,
      numbers: { ...numbers, durationMs: numbers.durationMs * 2 },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function endOf(numbers: Numbers, clients: number): Record<string, number> {
  if ('count' in numbers) return { '-t': Math.floor(numbers.count / clients) }
  return { '-T': Math.ceil(numbers.durationMs / 1_000) + BESIDE_SECONDS, '-P': 1 }
}

function overall(stdout: string): number {
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0)
}

/** From its reports of each second except the first; null if the machine was stalled so long that there are none. */
function steadily(stderr: string): number | null {
  const [, ...reports] = [...stderr.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map(([, tps]) =>
    Number(tps),
  )
  if (reports.length === 0) return null
  return reports.reduce((sum, tps) => sum + tps, 0) / reports.length
}

/** Numbers grow with time over all clients, like ids: `run`, then a count, then the client. */
function numberLines(numbers: Numbers, clients: number): string[] {
  if ('among' in numbers) return [`\\set u random(1, ${numbers.among})`]
  const number =
    'run' in numbers
      ? `${numbers.run} * 100000000 + :n * 100 + :client_id`
      : `${numbers.from} + (:n - 1) * ${clients} + :client_id`
  return ['\\set n :n + 1', `\\set u ${number}`]
}

function linesOf({ text, values, oneIn }: Statement, at: number): string[] {
  const sql = text.replace(/\$(\d+)/g, (_, index) => {
    const value = values[Number(index) - 1]
    const name = nameOf(at, index)
    if (value === null || value === undefined) return 'null'
    if (!value.includes(UNIQUE)) return `:${name}`
    return `replace(:${name}, '${UNIQUE}', lpad((:u)::text, ${UNIQUE_DIGITS}, '0'))`
  })
  const line = `${sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()};`
  return oneIn === undefined ? [line] : [`\\if :n % ${oneIn} = 1`, line, '\\endif']
}

function nameOf(statement: number, index: number | string): string {
  return `p${statement}_${index}`
}
