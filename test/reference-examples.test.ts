import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { ensureDemoUsers } from '../src/operations/people/demo-users.ts'
import { getMarkedCode, listExamples, runInBash } from './reference-page.ts'
import { runningService } from './running-service.ts'
import { without } from './tools.ts'

/** Makes every curl of a shell report its status to the test, whatever the example does with the response. */
const REPORTING_CURL = `curl() { command curl -w '%{stderr}HTTP %{http_code}\\n' "$@"; }`

test('every example of the reference, run in order, gets the documented response', {
  skip: without('curl', 'bash'),
}, async (t) => {
  const { url, service } = await runningService(t)
  await ensureDemoUsers(service.deps)
  const page = await (await fetch(`${url}/docs`)).text()
  const variables = getMarkedCode(page, 'data-variables')
  const examples = listExamples(page, 'example')
  assert.deepEqual(
    examples.map(({ operationId }) => operationId).toSorted(),
    allEndpoints()
      .map(({ operationId }) => operationId)
      .toSorted(),
    'each operation has an example',
  )

  const pasted = [
    REPORTING_CURL,
    variables,
    ...examples.flatMap(({ operationId, lines }) => [`echo "EXAMPLE ${operationId}" >&2`, lines, 'echo']),
  ]
  const { stdout, stderr } = await runInBash(pasted.join('\n'))
  const [setUp = '', ...responses] = stderr.split(/^EXAMPLE /m)
  assert.doesNotMatch(
    setUp,
    /^(?!HTTP 2\d\d$)./m,
    'the commands that set the variables succeed and print nothing else',
  )

  const endpointOf = new Map(allEndpoints().map((endpoint) => [endpoint.operationId, endpoint]))
  const wrong = responses.flatMap((part) => {
    const operationId = part.slice(0, part.indexOf('\n'))
    const endpoint = endpointOf.get(operationId)
    const refused = endpoint?.exampleCall?.status?.code
    const done = Object.keys(endpoint?.answers ?? {})
      .map(Number)
      .filter((status) => status < 400)
    // A request that was sent too early may succeed when it is repeated, on a slow machine.
    const wanted = refused === undefined ? done : refused === 429 ? [refused, ...done] : [refused]
    const [status] = statusesIn(part)
    return status !== undefined && wanted.includes(status)
      ? []
      : [`${operationId}: ${part.trim()}, not ${wanted}`]
  })
  assert.deepEqual(wrong, [], stdout.slice(-5_000))
  assert.equal(responses.length, examples.length)
})

test('the examples use only variables that they set, and put no token into an address', async (t) => {
  const { url } = await runningService(t)
  const page = await (await fetch(`${url}/docs`)).text()
  const variables = getMarkedCode(page, 'data-variables')
  const set = new Set([...variables.matchAll(/^ *([A-Z][A-Z_]*)=/gm)].map(([, name]) => name))
  for (const { operationId, lines } of listExamples(page, 'example')) {
    for (const [, name] of lines.matchAll(/\$([A-Z][A-Z_]*)/g))
      assert.ok(set.has(name), `${operationId} $${name}`)
    const [, address] = /"(\$BASE[^"]*)"/.exec(lines) ?? []
    assert.ok(address, operationId)
    assert.doesNotMatch(address, /\$(TOKEN|OPERATOR_TOKEN|DRIVER_TOKEN|SESSION)\b/, operationId)
    assert.doesNotMatch(lines, /'\{\}'/, operationId)
  }
})

test('no code block of the reference is empty', async (t) => {
  const { url } = await runningService(t)
  for (const path of ['/docs', '/docs/errors']) {
    const page = await (await fetch(`${url}${path}`)).text()
    assert.ok(page.includes('<code'), path)
    assert.doesNotMatch(page, /<code[^>]*>\s*<\/code>/, path)
  }
})

function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => Number(status))
}
