import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generatorJar, npmTool, pythonTool, run } from './tools.ts'

/** A running service with the demo accounts, its document in a file, and a folder to work in. */
export type Try = { url: string; document: string; folder: string }
/** Answers what is wrong; nothing when all is well. */
type Part = (attempt: Try) => Promise<string>

const PROGRAMS = join(import.meta.dirname, 'programs')
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

export const PARTS: Readonly<Record<string, Part>> = {
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
    return patterns.length > 5 ? '' : 'The document has hardly a pattern.'
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

  async 'typescript-fetch'({ document, folder, url }) {
    const [tool, jar] = [await npmTool('openapi-typescript'), await generatorJar()]
    const work = join(folder, 'typescript-fetch')
    await begin(work, tool)
    const properties =
      '--additional-properties=supportsES6=true,importFileExtension=.js,modelPropertyNaming=original'
    const made = ['-g', 'typescript-fetch', '-i', document, '-o', join(work, 'client'), properties]
    await run('java', ['-jar', jar, 'generate', ...made])
    await cp(join(PROGRAMS, 'typescript-fetch.txt'), join(work, 'program.ts'))
    // Unchecked: the generator (7.14) does not import the members of a `oneOf` that has no discriminator of text.
    await run(join(tool, 'node_modules/.bin/tsc'), [...COMPILE, '--noCheck', 'program.ts'], { cwd: work })
    return judged(await run(process.execPath, ['program.js', url], { cwd: work }))
  },

  async python({ document, folder, url }) {
    const tool = await pythonTool('openapi-python-client')
    const work = join(folder, 'python')
    await mkdir(work)
    const config = join(work, 'config.yaml')
    await writeFile(config, 'content_type_overrides:\n  application/pdf: application/octet-stream\n')
    const made = ['generate', '--path', document, '--config', config, '--meta', 'none']
    await run(join(tool, 'bin/openapi-python-client'), [
      ...made,
      '--output-path',
      join(work, 'drover_client'),
    ])
    // Every module of it can be imported, not only those that the program needs.
    const all =
      'import pkgutil, importlib, drover_client as c\nfor m in pkgutil.walk_packages(c.__path__, "drover_client."): importlib.import_module(m.name)'
    await run(join(tool, 'bin/python'), ['-c', all], { cwd: work })
    await cp(join(PROGRAMS, 'python.txt'), join(work, 'program.py'))
    return judged(await run(join(tool, 'bin/python'), ['program.py', url], { cwd: work }))
  },

  /** Bounded: ten examples for each operation, and at most five minutes. No webhooks: their addresses would be called. */
  async schemathesis({ document, folder, url }) {
    const tool = await pythonTool('schemathesis')
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-client',
      client_secret: 'demo-secret',
    })
    const asked = await fetch(`${url}/demo/auth/token`, { method: 'POST', body: form })
    const { access_token: token } = (await asked.json()) as { access_token: string }
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
}

async function begin(work: string, tool: string): Promise<void> {
  await mkdir(work)
  await writeFile(join(work, 'package.json'), '{"private":true,"type":"module"}')
  await cp(join(tool, 'node_modules'), join(work, 'node_modules'), { recursive: true })
}

/** What each program has to say of the same calls. */
const SAID = {
  token: 'Bearer',
  quoted: true,
  one_delivery: true,
  listed: true,
  label: '%PDF',
  error: 'invalid_request',
}

function judged(output: string): string {
  const line = output.trim().split('\n').at(-1) ?? ''
  return line === JSON.stringify(SAID) ? '' : `It said ${line}, not ${JSON.stringify(SAID)}.`
}

function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}
