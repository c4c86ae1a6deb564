/**
 * All static checks, two at a time.
 *
 *   npm run check
 *   npm run check -- types format   only the parts whose names contain one of these
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { writeApiClient } from './api-client.ts'
import { writeApiTypes } from './api-types.ts'
import { dashboardText } from './dashboard.ts'
import { withGuideLines, writeGuideProject } from './guide-project.ts'
import { lintAdapters } from './lint-adapters.ts'
import { lintCoverage } from './lint-coverage.ts'
import { lintDeploy } from './lint-deploy.ts'
import { type Lock, lintLock } from './lint-lock.ts'
import { lintMarkdown } from './lint-markdown.ts'
import { lintMigrations } from './lint-migrations.ts'
import { columnsRenamedIn, lintNames, renamedIn } from './lint-names.ts'
import { lintSources } from './lint-sources.ts'
import { lintStructure } from './lint-structure.ts'
import { composePages } from './site/compose-pages.ts'
import { readSources } from './site/read-sources.ts'
import { findWrongStatements, statementsText } from './statement-list.ts'
import { findStatements } from './statements.ts'

/** A step returns what is wrong, in as many lines as needed; empty if the check passed. */
type Step = { name: string; run: () => Promise<string> }

const AT_ONCE = 2
/** Files that may name a metric, a field, a column or a code. */
const NAMED = [
  '{src,fakes,web,test,bench,scripts,clients,deploy,docs,examples}/**/*.{ts,tsx,md,yaml,json}',
  'site/pages/*.md',
  '*.md',
]
/** Files that list the old names: the search skips them. */
const NAMES_OLD_NAMES = /^CHANGELOG\.md$|^scripts\/lint-names/
const MARKDOWN = ['*.md', '{docs,deploy,src,test,bench,clients,examples,.github}/**/*.md', 'site/pages/*.md']

const STEPS: readonly Step[] = [
  {
    name: 'types of the sources and the guides',
    async run() {
      writeApiClient()
      const project = writeGuideProject(read(MARKDOWN))
      return withGuideLines(await types(project))
    },
  },
  {
    name: 'types of the pages',
    async run() {
      await writeApiTypes()
      writeApiClient()
      return types('web')
    },
  },
  {
    name: 'types of the client',
    async run() {
      writeApiClient()
      return types('clients/typescript')
    },
  },
  {
    name: 'format and lint',
    run: () => tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '--diagnostic-level=error', '.'),
  },
  { name: 'types of the domain', run: () => types('src/domain') },
  { name: 'directions of imports', run: checkDirections },
  { name: 'nothing unused', run: () => tool('knip/bin/knip.js', '--no-progress') },
  {
    name: 'migrations',
    run: async () =>
      lintMigrations(
        read('migrations/*.sql').map(({ path, text }) => ({ name: basename(path), sql: text })),
      ).join('\n'),
  },
  {
    name: 'interface coverage',
    run: async () =>
      lintCoverage(readFileSync('docs/interface-coverage.md', 'utf8'), (path) =>
        existsSync(path) ? readFileSync(path, 'utf8') : null,
      ).join('\n'),
  },
  {
    name: 'dependencies',
    run: async () => {
      return ['', 'site/']
        .flatMap((folder) => {
          const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) =>
            JSON.parse(readFileSync(folder + name, 'utf8')),
          )
          return lintLock(manifest, lock as Lock).map((why) => folder + why)
        })
        .join('\n')
    },
  },
  { name: 'deploy', run: async () => lintDeploy(deployFiles()).join('\n') },
  {
    name: 'size of adapters',
    run: async () => lintAdapters(read('src/carriers/adapters/**/*.ts')).join('\n'),
  },
  {
    name: 'structure',
    run: async () =>
      lintStructure(
        read('{src,fakes,web,scripts,test,bench}/**/*.{ts,tsx}'),
        readFileSync('docs/glossary.md', 'utf8'),
        existsSync,
      ).join('\n'),
  },
  {
    name: 'documents: links, files',
    run: async () => lintMarkdown(read(MARKDOWN), existsOrIsMade).join('\n'),
  },
  {
    name: 'site: pages, links, sections of the README',
    async run() {
      composePages({ ...readSources(), repositoryUrl: null })
      return ''
    },
  },
  {
    name: 'names',
    run: async () => {
      const renamed = [
        ...renamedIn(readFileSync('CHANGELOG.md', 'utf8')),
        ...columnsRenamedIn(readFileSync('migrations/0046_field_names.sql', 'utf8')),
      ]
      const openApi = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
      return lintNames(
        read(NAMED).filter(({ path }) => !NAMES_OLD_NAMES.test(path)),
        renamed,
        JSON.stringify(openApi),
      ).join('\n')
    },
  },
  {
    name: 'SQL statements',
    async run() {
      const statements = findStatements(read('src/**/*.ts').filter(({ path }) => !path.endsWith('.test.ts')))
      const isCurrent = readFileSync('docs/operations/statements.md', 'utf8') === statementsText(statements)
      return [
        ...findWrongStatements(statements),
        ...(isCurrent
          ? []
          : [
              'docs/operations/statements.md is out of date. Run: node scripts/with-node.mjs scripts/build-statements.ts',
            ]),
      ].join('\n')
    },
  },
  { name: 'sources', run: async () => lintSources(read('{src,fakes,web}/**/*.{ts,tsx}')).join('\n') },
  ...(existsSync('scripts/lint-openapi.ts')
    ? [{ name: 'OpenAPI', run: () => command(process.execPath, ['scripts/lint-openapi.ts']) }]
    : []),
]

const parts = process.argv.slice(2)
const chosen = STEPS.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
if (chosen.length === 0) {
  const names = STEPS.map(({ name }) => name).join('; ')
  throw new Error(`No check is called ${parts.join(' or ')}. The checks: ${names}.`)
}
const startedMs = performance.now()
const waiting = [...chosen]
const failed: string[] = []
await Promise.all(Array.from({ length: AT_ONCE }, work))
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
console.log(
  failed.length === 0
    ? `All ${chosen.length} checks passed in ${seconds} s.`
    : `Failed: ${failed.join(', ')}.`,
)
process.exitCode = failed.length === 0 ? 0 : 1

async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const beganMs = performance.now()
    const wrong = await step.run().catch((error: Error) => error.stack ?? error.message)
    const time = `${((performance.now() - beganMs) / 1000).toFixed(1)} s`
    console.log(`${wrong ? '✖' : '✔'} ${step.name} (${time})${wrong ? `\n${wrong.trim()}` : ''}`)
    if (wrong) failed.push(step.name)
  }
}

/** Only what has changed since the last check is read again. */
function types(project: string): Promise<string> {
  const state = `.node/types/${project.replaceAll(/\W/g, '-')}.tsbuildinfo`
  return tool('typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', state, '-p', project)
}

/** Whether a path exists, or is generated and ignored by git. */
function existsOrIsMade(path: string): boolean {
  const made = readFileSync('.gitignore', 'utf8').split('\n').filter(Boolean)
  return existsSync(path) || made.some((folder) => path.startsWith(folder.replace(/^\//, '')))
}

/** If dependency-cruiser cannot parse TypeScript it reads no file, and reports no error. */
async function checkDirections(): Promise<string> {
  const args = [
    'src',
    'fakes',
    'web',
    'scripts',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
  ]
  const { code, output } = await finish(process.execPath, [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    ...args,
  ])
  if (!output.startsWith('{')) return output || `dependency-cruiser ended with code ${code}`
  const { modules, summary } = JSON.parse(output) as Cruise
  const wrong = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  const seen = new Set(modules.map(({ source }) => source))
  const unread = globSync(['{src,fakes,scripts}/**/*.ts', 'web/**/*.{ts,tsx}']).filter(
    (path) => !seen.has(path.replaceAll('\\', '/')),
  )
  if (unread.length > 0) wrong.push(`${unread.length} files were not read, ${unread[0]} among them.`)
  return wrong.join('\n')
}

type Cruise = {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

function read(pattern: string | readonly string[]): { path: string; text: string }[] {
  const paths = globSync(pattern).sort()
  return paths.map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
}

function deployFiles() {
  const words = (pattern: string, word: RegExp) =>
    new Set(read(pattern).flatMap(({ text }) => [...text.matchAll(word)].map(([, name = '']) => name)))
  return {
    files: new Map(
      read('deploy/**/{*.*,Dockerfile}').map(({ path, text }) => [path.slice('deploy/'.length), text]),
    ),
    settings: words('src/{config,observability/traces-config}.ts', /(?:^ {2}|given\.)([A-Z][A-Z_]+)\b/gm),
    metrics: words(
      'src/{observability/{*metrics,watch-disks,process-traces},bootstrap/composition-root,http/observing/access-log}.ts',
      /'(drover_\w+)'/g,
    ),
    runbook: readFileSync('docs/operations/runbook.md', 'utf8'),
    dashboard: dashboardText(),
    version: JSON.parse(readFileSync('package.json', 'utf8')).version as string,
    exists: existsSync,
  }
}

function tool(path: string, ...args: string[]): Promise<string> {
  return command(process.execPath, [`node_modules/${path}`, ...args])
}

async function command(program: string, args: string[]): Promise<string> {
  const { code, output } = await finish(program, args)
  return code === 0 ? '' : output || `The command ended with code ${code}.`
}

function finish(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', fail)
    child.once('close', (code) => done({ code, output }))
  })
}
