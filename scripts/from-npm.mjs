/**
 * Installs a package from npm once into `.node/`, for optional tools that `package.json` does not name. Plain
 * JavaScript that Node 18 can read.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'

/** The process that made a download folder this old has ended. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

const QUIETLY = [
  '--no-save',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
  '--global=false',
]

/**
 * Installs a package at an exact version, whose archive must have this digest (as in `package-lock.json`), and
 * leaves at `home` the folder that `kept` names, given the one with its node_modules. Installed beside it and
 * renamed into place: a killed or second process leaves no half-installed package.
 */
export async function getFromNpm({ name, version, integrity }, home, kept) {
  const parent = dirname(home)
  mkdirSync(parent, { recursive: true })
  removeAbandoned(parent)
  const temporary = mkdtempSync(join(parent, 'getting-'))
  const onInterrupt = () => {
    rmSync(temporary, { recursive: true, force: true })
    process.exit(130)
  }
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    await npm(['install', '--prefix', temporary, ...QUIETLY, `${name}@${version}`])
    checkIntegrity(temporary, name, integrity)
    const got = await kept(temporary)
    try {
      renameSync(got, home)
    } catch (error) {
      if (!existsSync(home)) throw error
    }
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** npm has compared the archive with the registry's digest; this compares that digest with ours. */
function checkIntegrity(folder, name, integrity) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  const got = packages[`node_modules/${name}`]?.integrity
  if (got !== integrity) throw new Error(`the package ${name} is not the one that this release was made with`)
}

function removeAbandoned(parent) {
  for (const entry of readdirSync(parent)) {
    const path = join(parent, entry)
    if (!entry.startsWith('getting-')) continue
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** The npm that started us, if any (no shell, no PATH); otherwise the one on the PATH. */
function npm(args) {
  const cli = process.env.npm_execpath
  const ours = cli && basename(cli) === 'npm-cli.js' && existsSync(cli)
  const stdio = ['ignore', 'ignore', 'inherit']
  const child = ours ? spawn(process.execPath, [cli, ...args], { stdio }) : spawnNpm(args, stdio)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`npm ended with code ${code}`))))
  })
}

/** On Windows npm is a batch file, which only a shell runs, and a shell splits unquoted paths at spaces. */
function spawnNpm(args, stdio) {
  if (process.platform !== 'win32') return spawn('npm', args, { stdio })
  return spawn(
    'npm',
    args.map((arg) => `"${arg}"`),
    { stdio, shell: true },
  )
}
