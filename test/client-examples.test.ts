import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { skip as skipPython, startPython } from '../clients/python/test-python.ts'
import { generatePythonClient } from '../scripts/api-client-python.ts'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { ensureDemoUsers } from '../src/operations/people/demo-users.ts'
import { getMarkedCode, listExamples, runInBash } from './reference-page.ts'
import { runningService } from './running-service.ts'
import { without } from './tools.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const CLIENT = join(PROJECT, 'clients/typescript/src/index.ts')

/** The demo refuses these, by curl as well; why is on the page. */
const REFUSED_BY_DEMO: Readonly<Record<string, string>> = {
  settleBooking: 'every carrier in the demo answers about a booking in the end',
  recordOutcome: 'the delivery of the example has not left the store',
  sendLeftBehind: 'the courier of the example took every parcel',
  settleExtraBooking: 'no carrier has an extra booking of the example',
  settleSubmit: 'the manifest’s outcome is known',
  discardManifest: 'the carrier has the manifest of the example',
  sendLink: 'the link was sent less than a minute ago',
  reportCarrierStatus: 'the demo’s carriers report by themselves',
  reportCarrierStatuses: 'the demo’s carriers report by themselves',
}

test('every TypeScript example of the reference compiles against the client', async (t: TestContext) => {
  const { url } = await runningService(t)
  const folder = temporaryFolder(t)
  const page = await (await fetch(`${url}/docs`)).text()
  const files = writePrograms(folder, page, (program) => program)
  const markdown = await (await fetch(`${url}/docs/operations/createDelivery.md`)).text()
  const [, ofMarkdown = ''] = /```ts\n([\s\S]*?)```/.exec(markdown) ?? []
  const alone = join(folder, 'alone.ts')
  writeFileSync(alone, ofMarkdown)
  assert.match(ofMarkdown, /drover\.deliveries\.create\(/)
  const program = ts.createProgram([...files.values(), alone], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules/@types')],
    paths: { '@drover/client': [CLIENT] },
  })
  const wrong = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  assert.deepEqual(wrong, [])
  assert.ok(files.size > 60, `${files.size}`)
})

test('every TypeScript example of the reference, run in order, succeeds if its curl does', {
  skip: without('curl', 'bash'),
}, async (t: TestContext) => {
  const { url, service } = await runningService(t)
  await ensureDemoUsers(service.deps)
  const page = await (await fetch(`${url}/docs`)).text()
  const folder = temporaryFolder(t)
  await setVariables(t, page)
  const files = writePrograms(folder, page, (program) =>
    program
      .replaceAll("'@drover/client'", `'${pathToFileURL(CLIENT).href}'`)
      .replaceAll('console.log(', 'void (')
      .replaceAll("await writeFile('", `await writeFile('${folder}/`),
  )
  const refused = allEndpoints().flatMap(({ operationId, exampleCall }) =>
    exampleCall?.status && files.has(operationId) ? [[operationId, exampleCall.status.because]] : [],
  )
  assert.deepEqual(Object.fromEntries(refused), REFUSED_BY_DEMO)
  const failed: string[] = []
  for (const [operationId, file] of files) {
    if (operationId in REFUSED_BY_DEMO) continue
    await import(pathToFileURL(file).href).catch((error) => failed.push(`${operationId}: ${error}`))
  }
  assert.deepEqual(failed, [])
})

test('every Python example of the reference names a method of the client', async (t: TestContext) => {
  const { url } = await runningService(t)
  const examples = listExamples(await (await fetch(`${url}/docs`)).text(), 'python')
  const { operations } = generatePythonClient(
    openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints()),
  )
  const classes = operations.split(/^class /m)
  const missing = examples.filter(({ lines }) => {
    const [, resource = '', name = ''] = /drover\.(\w+)\.(\w+)\(/.exec(lines) ?? []
    const owner = `${resource.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Resource(`
    return !classes.some((text) => text.startsWith(owner) && text.includes(` def ${name}(self`))
  })
  assert.deepEqual(missing, [])
  assert.ok(examples.length > 60, `${examples.length}`)
  const markdown = await (await fetch(`${url}/docs/operations/createDelivery.md`)).text()
  assert.match(markdown, /```python\n[\s\S]*from drover import Drover[\s\S]*drover\.deliveries\.create\(/)
})

test('every Python example of the reference, run in order, succeeds if its curl does', {
  skip: skipPython || without('curl', 'bash'),
}, async (t: TestContext) => {
  const { url, service } = await runningService(t)
  await ensureDemoUsers(service.deps)
  const page = await (await fetch(`${url}/docs`)).text()
  await setVariables(t, page)
  const examples = listExamples(page, 'python').filter(({ operationId }) => !(operationId in REFUSED_BY_DEMO))
  const { child, ended } = startPython(t, ['tests.run_examples'])
  child.stdin.end(JSON.stringify({ set_up: getMarkedCode(page, 'data-python-set-up'), examples }))
  assert.deepEqual(JSON.parse(await ended), { run: examples.length, failed: [] })
})

/** Writes each example as a program, with the lines that it needs before it; returns the files in the page's order. */
function writePrograms(
  folder: string,
  page: string,
  change: (program: string) => string,
): Map<string, string> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const setUp = getMarkedCode(page, 'data-client-set-up')
  return new Map(
    listExamples(page, 'client').map(({ operationId, lines }) => {
      const file = join(folder, `${operationId}.ts`)
      writeFileSync(file, change(`${setUp}\n${lines}\n`))
      return [operationId, file]
    }),
  )
}

/** Runs the page's shell lines and puts the variables that they export into this process's environment. */
async function setVariables(t: TestContext, page: string): Promise<void> {
  const lines = getMarkedCode(page, 'data-variables')
  const [, names = ''] = /^export (.+)$/m.exec(lines) ?? []
  const { stdout } = await runInBash(`${lines}\nprintf '%s\\n' ${names.replaceAll(/\w+/g, '"$&=$$$&"')}`)
  for (const name of names.split(' ')) {
    const [, value] = new RegExp(`^${name}=(.+)$`, 'm').exec(stdout) ?? []
    assert.ok(value, `${name} is set: ${stdout}`)
    process.env[name] = value
    t.after(() => delete process.env[name])
  }
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-client-examples-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
