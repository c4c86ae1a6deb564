import { globSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writePythonClient } from '../../scripts/api-client-python.ts'
import { getMarkedCode, listExamples } from '../reference-page.ts'
import { ASSISTANTS } from './assistants.ts'
import { judged, type Part, requestDemoToken } from './part.ts'
import { generatorJar, npmTool, pythonTool, run } from './tools.ts'
import { TYPESCRIPT_CLIENT } from './typescript-client.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')
const ROOT = join(import.meta.dirname, '../..')
const PYTHON_CLIENT = join(ROOT, 'clients/python')
const COMPILE = [
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--strict',
  '--skipLibCheck',
  '--lib',
  'es2022,dom',
]

const CHECK = [
  ...['--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--strict', '--skipLibCheck', '--lib', 'es2022,dom,dom.iterable'],
]

export const PARTS: Readonly<Record<string, Part>> = {
  ...TYPESCRIPT_CLIENT,

  /** Our client for Python: its types and its README's, its own tests, and the package as installed. */
  async 'drover-python'({ folder, url }) {
    const python = join(await pythonTool('drover-python'), 'bin/python')
    const work = join(folder, 'drover-python')
    writePythonClient()
    await cp(PYTHON_CLIENT, work, { recursive: true })
    const readme = await readFile(join(work, 'README.md'), 'utf8')
    for (const [, name, text = ''] of readme.matchAll(/^```python\n# (\w+\.py)\n([\s\S]*?)^```/gm)) {
      await writeFile(join(work, `${name}`), text)
    }
    const page = await (await fetch(`${url}/docs`)).text()
    // Each in its own function: their loops use one name for values of different types, which mypy rejects.
    const examples = listExamples(page, 'python').map(
      ({ operationId, lines }) => `def ${operationId}() -> None:\n    ${lines.replaceAll('\n', '\n    ')}\n`,
    )
    const setUp = getMarkedCode(page, 'data-python-set-up')
    await writeFile(join(work, 'examples.py'), `${[setUp, ...examples].join('\n')}\n`)
    const programs = globSync('*.py', { cwd: work })
    for (const version of ['3.10', '3.14']) {
      const flags = ['-m', 'mypy', '--python-version', version]
      await run(python, [...flags, 'drover', 'tests', ...programs], { cwd: work })
    }
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation']
    await run(python, [...pip, '--target', join(folder, 'installed'), work])
    await cp(join(PROGRAMS, 'drover-python.txt'), join(folder, 'program.py'))
    await cp(join(PROGRAMS, 'requests.json'), join(folder, 'requests.json'))
    const env = { PYTHONPATH: join(folder, 'installed') }
    const wrong = judged(await run(python, ['program.py', url], { cwd: folder, env }))
    if (wrong !== '') return wrong
    const tests = ['scripts/test.ts', '--database=embedded', 'clients/python', 'test/client-examples']
    const output = await run(process.execPath, tests, { cwd: ROOT, env: { TEST_PYTHON: python } })
    return /^ℹ skipped 0$/m.test(output) ? '' : output
  },

  async lint({ document, folder }) {
    const redocly = await npmTool('redocly')
    await run(join(redocly, 'node_modules/.bin/redocly'), ['lint', '--extends=recommended', document])
    const spectral = await npmTool('spectral')
    const rules = join(folder, 'spectral.yaml')
    await writeFile(rules, 'extends: ["spectral:oas"]\n')
    const flags = ['--fail-severity=error', '--display-only-failures', '-r', rules]
    await run(join(spectral, 'node_modules/.bin/spectral'), ['lint', document, ...flags])
    return ''
  },

  async patterns({ document }) {
    const patterns = [...new Set(patternsIn(JSON.parse(await readFile(document, 'utf8'))))]
    const re2 = await npmTool('re2')
    const { RE2JS } = await import(pathToFileURL(join(re2, 'node_modules/re2js/build/index.js')).href)
    for (const pattern of patterns) RE2JS.compile(pattern)
    const compile = 'import json, re, sys\nfor one in json.loads(sys.argv[1]): re.compile(one)'
    await run('python3', ['-c', compile, JSON.stringify(patterns)])
    return patterns.length > 5 ? '' : 'The document has 5 patterns or fewer.'
  },

  async 'openapi-fetch'({ document, folder, url }) {
    const tool = await npmTool('openapi-typescript')
    const work = join(folder, 'openapi-fetch')
    await begin(work, tool)
    await run(join(tool, 'node_modules/.bin/openapi-typescript'), [document, '-o', join(work, 'schema.d.ts')])
    await cp(join(PROGRAMS, 'openapi-fetch.txt'), join(work, 'program.ts'))
    await run(join(tool, 'node_modules/.bin/tsc'), [...COMPILE, 'program.ts'], { cwd: work })
    return judged(await run(process.execPath, ['program.js', url], { cwd: work }))
  },

  async 'hey-api'({ document, folder, url }) {
    const tool = await npmTool('hey-api')
    const work = join(folder, 'hey-api')
    await begin(work, tool)
    await run(join(tool, 'node_modules/.bin/openapi-ts'), ['-i', document, '-o', join(work, 'client')])
    await cp(join(PROGRAMS, 'hey-api.txt'), join(work, 'program.ts'))
    return bundled(work, url)
  },

  async 'typescript-fetch'({ document, folder, url }) {
    const work = join(folder, 'typescript-fetch')
    await begin(work, await npmTool('typescript'))
    await generate('typescript-fetch', document, join(work, 'client'))
    await cp(join(PROGRAMS, 'typescript-fetch.txt'), join(work, 'program.ts'))
    return bundled(work, url)
  },

  async java({ document, folder, url }) {
    const work = join(folder, 'java')
    await generate('java', document, work)
    await cp(join(PROGRAMS, 'java.txt'), join(work, 'Program.java'))
    await cp(join(PROGRAMS, 'requests.json'), join(work, 'requests.json'))
    const classpath = ['dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime']
    await run('mvn', ['-q', '-DskipTests', 'compile', ...classpath], { cwd: work })
    return judged(await run('java', ['-cp', 'target/classes:lib/*', 'Program.java', url], { cwd: work }))
  },

  async go({ document, folder, url }) {
    const work = join(folder, 'go')
    await generate('go', document, work)
    const program = join(work, 'program')
    await mkdir(program)
    await cp(join(PROGRAMS, 'go.txt'), join(program, 'main.go'))
    await cp(join(PROGRAMS, 'requests.json'), join(work, 'requests.json'))
    await run('go', ['mod', 'tidy'], { cwd: work })
    await run('go', ['build', './...'], { cwd: work })
    return judged(await run('go', ['run', './program', url], { cwd: work }))
  },

  async 'openapi-python'({ document, folder, url }) {
    const work = join(folder, 'openapi-python')
    await generate('python', document, work)
    await run('python3', ['-m', 'venv', join(work, 'env')])
    await run(join(work, 'env/bin/pip'), ['install', '--quiet', work])
    await run(join(work, 'env/bin/python'), ['-c', importAll('openapi_client')], { cwd: folder })
    await cp(join(PROGRAMS, 'openapi-python.txt'), join(work, 'program.py'))
    await cp(join(PROGRAMS, 'requests.json'), join(work, 'requests.json'))
    return judged(await run(join(work, 'env/bin/python'), ['program.py', url], { cwd: work }))
  },

  async python({ document, folder, url }) {
    const tool = await pythonTool('openapi-python-client')
    const work = join(folder, 'python')
    await mkdir(work)
    const made = ['generate', '--path', document, '--meta', 'none']
    await run(join(tool, 'bin/openapi-python-client'), [
      ...made,
      '--output-path',
      join(work, 'drover_client'),
    ])
    await run(join(tool, 'bin/python'), ['-c', importAll('drover_client')], { cwd: work })
    await cp(join(PROGRAMS, 'python.txt'), join(work, 'program.py'))
    return judged(await run(join(tool, 'bin/python'), ['program.py', url], { cwd: work }))
  },

  /** Bounded: ten examples for each operation, and at most five minutes. No webhooks: their addresses would be called. */
  async schemathesis({ document, folder, url }) {
    const tool = await pythonTool('schemathesis')
    const token = await requestDemoToken(url)
    const config = join(folder, 'schemathesis.toml')
    await writeFile(config, '[parameters]\n"path.tenant_id" = "demo"\n')
    const flags = [
      ...['--config-file', config, 'run', document, '--url', url, '-H', `Authorization: Bearer ${token}`],
      ...[
        '--checks',
        'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
      ],
      ...[
        '--include-path-regex',
        '^/\\{tenant_id\\}/(deliveries|manifests|links|stores|events|messages|insights)',
        '--phases',
        'examples,fuzzing,stateful',
      ],
      ...['--max-examples', '10', '--seed', '18', '--no-color', '--max-failures', '20', '--max-time', '300'],
    ]
    await run(join(tool, 'bin/schemathesis'), flags, { cwd: folder })
    return ''
  },

  ...ASSISTANTS,
}

/** Runs openapi-generator with no setting but the language. */
async function generate(language: string, document: string, output: string): Promise<void> {
  await run('java', ['-jar', await generatorJar(), 'generate', '-g', language, '-i', document, '-o', output])
}

/** Checks the types of a program and its client under `--strict`, bundles the two, as an app does, and runs them. */
async function bundled(work: string, url: string): Promise<string> {
  await cp(join(PROGRAMS, 'requests.json'), join(work, 'requests.json'))
  await run(join(work, 'node_modules/.bin/tsc'), [...CHECK, 'program.ts'], { cwd: work })
  const { build } = await import('rolldown')
  const output = { file: join(work, 'program.mjs') }
  await build({ input: join(work, 'program.ts'), cwd: work, platform: 'node', output, logLevel: 'warn' })
  return judged(await run(process.execPath, ['program.mjs', url], { cwd: work }))
}

/** Every module of the package can be imported, not only those that the program uses. */
function importAll(name: string): string {
  return `import pkgutil, importlib, ${name} as c
for m in pkgutil.walk_packages(c.__path__, "${name}."): importlib.import_module(m.name)`
}

async function begin(work: string, tool: string): Promise<void> {
  await mkdir(work)
  await writeFile(join(work, 'package.json'), '{"private":true,"type":"module"}')
  await cp(join(tool, 'node_modules'), join(work, 'node_modules'), { recursive: true })
}

function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}
