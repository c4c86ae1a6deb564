import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Finding } from '../cli/deps.ts'
import { readCommit, VERSION } from '../cli/version.ts'
import { type Config, FEWEST_BITS, MAKE_ONE, SHORTEST_OPERATOR_TOKEN } from '../config.ts'
import { secretStrength } from '../domain/people/secret-strength.ts'
import { good, note, wrong } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

const NEEDED_NODE = 24
const SHORTEST_SECRET = 32
const DEMO_OPERATOR_TOKEN = 'demo-operator'

/** Checks Node, the home folder where it is used, the key and the operator's token. */
export function checkMachine(config: Config, env: Env): Finding[] {
  return [
    reportVersion(config),
    checkNode(),
    ...(needsHome(config, env) ? [checkHome(config.home)] : []),
    checkSecretKey(config, env),
    checkOperatorToken(config),
  ]
}

/**
 * With a database and a key set, nothing is written to the home: in the image the folder belongs to root and
 * is read-only.
 */
function needsHome({ databaseUrl }: Config, { DROVER_SECRET_KEY }: Env): boolean {
  return databaseUrl === null || !DROVER_SECRET_KEY?.trim()
}

/** The version, which support asks for first. */
function reportVersion({ commit: key }: Config): Finding {
  const commit = key ?? readCommit()
  return good('drover', `Drover ${VERSION}${commit ? `, commit ${commit}` : ''}.`)
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= NEEDED_NODE) return good('node', `Node ${process.versions.node}.`)
  return wrong(
    'node',
    `Drover runs on Node ${process.versions.node}.`,
    `Run it with npx drover, or install Node ${NEEDED_NODE}.`,
  )
}

function checkHome(home: string): Finding {
  const place = nearestExisting(home)
  try {
    accessSync(place, constants.W_OK | constants.X_OK)
  } catch {
    return wrong(
      'home',
      `${place} is not writable.`,
      'Let this user write the folder, or set DROVER_HOME to another one.',
    )
  }
  if (!statSync(place).isDirectory()) {
    return wrong('home', `${place} is not a folder.`, 'Set DROVER_HOME to a folder.')
  }
  return place === home
    ? good('home', `${home} is writable.`)
    : note('home', `${home} does not exist yet; the first start creates it.`)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}

function checkSecretKey({ home }: Config, env: Env): Finding {
  const key = env.DROVER_SECRET_KEY?.trim()
  if (key) return checkStrength(key, 'DROVER_SECRET_KEY')
  const file = join(home, 'secret_key')
  if (!existsSync(file)) return note('secret key', 'There is no key yet; the first start creates one.')
  const mode = statSync(file).mode & 0o777
  if (process.platform !== 'win32' && mode !== 0o600) {
    const message = `${file} has mode ${mode.toString(8)}: others may read it.`
    return wrong('secret key', message, `chmod 600 ${file}`)
  }
  try {
    return checkStrength(readFileSync(file, 'utf8').trim(), file)
  } catch {
    return wrong('secret key', `${file} cannot be read.`, 'Run this as the user who runs Drover.')
  }
}

function checkStrength(key: string, name: string): Finding {
  const { bits, why } = secretStrength(key)
  if (key.length >= SHORTEST_SECRET && bits >= FEWEST_BITS.secretKey) {
    return good('secret key', `${name} is long and random enough.`)
  }
  const because = why.map((reason) => `, and ${reason}`).join('')
  const message = `${name} is easy to guess: it has ${key.length} characters, about ${bits} bits${because}.`
  return wrong(
    'secret key',
    message,
    'Create one with: openssl rand -base64 32. Then set every stored secret again.',
  )
}

function checkOperatorToken({ operatorToken, live }: Config): Finding {
  if (operatorToken === DEMO_OPERATOR_TOKEN) {
    const remedy = 'Set DROVER_OPERATOR_TOKEN before others can reach this process.'
    return live
      ? wrong('operator token', 'It is the demo token, in live mode.', remedy)
      : note('operator token', 'It is the demo token, which is public.', remedy)
  }
  const { bits } = secretStrength(operatorToken)
  if (operatorToken.length >= SHORTEST_OPERATOR_TOKEN && bits >= FEWEST_BITS.operatorToken) {
    return good('operator token', 'It is set.')
  }
  const message = `It is easy to guess: it has ${operatorToken.length} characters, about ${bits} bits.`
  return wrong('operator token', message, MAKE_ONE)
}
