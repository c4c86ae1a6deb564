import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const HERE = resolve(import.meta.dirname, '../../.node/clients')

/** Each tool has its own folder, because their dependencies conflict. The package does not depend on them. */
const NPM = {
  redocly: ['@redocly/cli@2.77.0'],
  spectral: ['@stoplight/spectral-cli@6.16.3'],
  'openapi-typescript': ['openapi-typescript@7.13.0', 'typescript@5.9.3', 'openapi-fetch@0.17.0'],
  'hey-api': ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3', '@types/node@24.19.2'],
  typescript: ['typescript@5.9.3'],
  'mcp-conformance': ['@modelcontextprotocol/conformance@0.1.16'],
  'mcp-inspector': ['@modelcontextprotocol/inspector@2.12.0'],
  re2: ['re2js@2.10.0'],
  workerd: ['workerd@1.20261117.1'],
} as const
const PYTHON = {
  'openapi-python-client': ['openapi-python-client==0.29.1'],
  mcp: ['mcp==2.3.0'],
  schemathesis: ['schemathesis==4.32.5'],
  'drover-python': ['httpx==0.28.1', 'standardwebhooks==1.1.0', 'mypy==2.4.1', 'setuptools==80.9.0'],
} as const
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0'

/** The folder of a tool from npm, installed once; its programs are in `node_modules/.bin`. */
export async function npmTool(name: keyof typeof NPM): Promise<string> {
  return once(`${name}-${NPM[name].map((spec) => spec.split('@').at(-1)).join('-')}`, (folder) =>
    install(folder, NPM[name]),
  )
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', '--prefix', folder]
  await run('npm', ['install', ...flags, ...packages])
}

/** The program of a Node of an older line, from npm. */
export async function nodeTool(version: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = await once(`${name}-${version}`, (output) => install(output, [`${name}@${version}`]))
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** The compiler of a TypeScript, from npm. */
export async function typescriptTool(version: string): Promise<string> {
  const folder = await once(`typescript-${version}`, (output) => install(output, [`typescript@${version}`]))
  return join(folder, 'node_modules/.bin/tsc')
}

/** The program of Cloudflare's edge runtime, from npm. */
export async function workerdTool(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@cloudflare/workerd-${platform}-${process.arch === 'x64' ? '64' : process.arch}`
  const program = process.platform === 'win32' ? 'workerd.exe' : 'workerd'
  return join(await npmTool('workerd'), 'node_modules', name, 'bin', program)
}

/** The folder of a Python environment with a tool from PyPI; its programs are in `bin`. */
export async function pythonTool(name: keyof typeof PYTHON): Promise<string> {
  return once(`${name}-${PYTHON[name].map((spec) => spec.split('==').at(-1)).join('-')}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...PYTHON[name]])
  })
}

/** The jar of openapi-generator, from Maven Central. */
export async function generatorJar(): Promise<string> {
  const [, name, version] = GENERATOR.split(':')
  const folder = await once(`${name}-${version}`, async (output) => {
    await run('mvn', ['-q', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${output}`])
  })
  return join(folder, `${name}-${version}.jar`)
}

async function once(name: string, install: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(HERE, name)
  const done = join(folder, '.installed')
  if (existsSync(done)) return folder
  await mkdir(folder, { recursive: true })
  await install(folder)
  await writeFile(done, '')
  return folder
}

/** The output of a program; throws with it if the program fails. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env }, ...(cwd && { cwd }) }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], options)
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message.split('\n', 1)[0]}\n${stdout.slice(-6_000)}${stderr.slice(-6_000)}`)
  }
}
