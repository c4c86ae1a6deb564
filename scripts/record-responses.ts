/**
 * Records the responses of the reference's examples for the reference: runs the examples in order on a new demo
 * account, and writes `src/http/examples/responses.generated.json`. A second run writes the same bytes.
 *
 *   node scripts/with-node.mjs scripts/record-responses.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { startService } from '../src/bootstrap/service.ts'
import { VERSION } from '../src/cli/version.ts'
import { loadConfig } from '../src/config.ts'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import type { ResponseExample } from '../src/http/examples/response-examples.ts'
import { VARIABLES } from '../src/http/examples/variables.ts'
import { makeLog } from '../src/log.ts'
import { ensureDemoAccounts } from '../src/operations/accounts/demo-accounts.ts'
import { ensureDemoUsers } from '../src/operations/people/demo-users.ts'
import { migrate } from '../src/store/db/migrate.ts'
import { getMarkedCode, listExamples, runInBash } from '../test/reference-page.ts'
import { startTestServer } from '../test/server.ts'
import { cutFields, cutLists } from './responses/cut-response.ts'
import { responseValidator } from './responses/response-validator.ts'
import { shiftClock, shiftDatabaseClock } from './responses/shifted-clock.ts'
import { textStabiliser } from './responses/stable-text.ts'

const FILE = new URL('../src/http/examples/responses.generated.json', import.meta.url)
const START_MS = Date.parse('2026-11-22T03:00:00Z')
const SIZE_CLASSES = [
  [10, 'under 10 kB'],
  [100, '10 to 100 kB'],
  [1_000, '100 kB to 1 MB'],
] as const
/** The document has every example; a cut of it is none. */
const DOCUMENTS: ReadonlySet<string> = new Set(['getOpenApi', 'getOpenApi30', 'getAccountOpenApi'])

/** After each request, for the worker: it publishes the events of two requests in any order if it gets them together. */
const PAUSE_SECONDS = 0.2
/** Of a list to which the worker adds meanwhile: the entries that each run has in this order. */
const KEPT: Readonly<Record<string, (entry: Record<string, unknown>) => boolean>> = {
  listWebhookAttempts: ({ type, attempt }) => type === 'link.created' && attempt === 1,
}

type Recorded = { operationId: string; body: string; status: number; media: string; bytes: number }

const shiftMs = shiftClock(START_MS)
const server = await startTestServer()
try {
  await migrate(server.url)
  await shiftDatabaseClock(server.url, shiftMs)
  const { known, recorded } = await record(server.url)
  const stabilise = textStabiliser(known)
  const responses = recorded.flatMap((one) => {
    const example = toExample(one, stabilise)
    return example ? [[one.operationId, example] as const] : []
  })
  writeFileSync(FILE, toFileText(responses))
  console.log(`${responses.length} responses, ${readFileSync(FILE).length} bytes`)
} finally {
  await server.stop()
}
process.exit(0)

/** The examples' responses in their order, and the values of this run that the documentation has samples of. */
async function record(databaseUrl: string): Promise<{ known: Map<string, string>; recorded: Recorded[] }> {
  const service = await startService({
    config: loadConfig({ PORT: '0', DROVER_SECRET_KEY: 'a secret key for recording, long enough' }),
    databaseUrl,
    roles: { api: true, worker: true },
    version: VERSION,
    log: makeLog('silent'),
  })
  try {
    await ensureDemoAccounts(service.deps)
    await ensureDemoUsers(service.deps)
    const url = service.address ?? ''
    const page = await (await fetch(`${url}/docs`)).text()
    const names = VARIABLES.map(({ name }) => name)
    // Bash drops zero bytes from variables only: they part what is printed.
    const { stdout } = await runInBash(
      [
        `date() { if [ "$*" = +%s ]; then echo ${START_MS / 1_000}; else command date "$@"; fi; }`,
        `curl() { command curl "$@"; sleep ${PAUSE_SECONDS}; }`,
        getMarkedCode(page, 'data-variables'),
        ...names.map((name) => `printf '%s\\0' "$${name}"`),
        `curl() { command curl -w '%{stderr}%{http_code} %{size_download} %{content_type}' "$@"; sleep ${PAUSE_SECONDS}; }`,
        ...listExamples(page, 'example').flatMap(({ operationId, lines }) => [
          `printf '%s\\0' ${operationId}`,
          `{ ${lines}\n} 2> status`,
          `printf '\\0%s\\0' "$(cat status)"`,
        ]),
      ].join('\n'),
    )
    const parts = stdout.split('\0')
    const values = parts.splice(0, names.length)
    const recorded: Recorded[] = []
    for (
      let [operationId, body, about] = parts.splice(0, 3);
      about;
      [operationId, body, about] = parts.splice(0, 3)
    ) {
      const [status, bytes, ...media] = about.split(' ')
      recorded.push({
        operationId: operationId as string,
        body: body as string,
        status: Number(status),
        bytes: Number(bytes),
        media: media.join(' ').replace(/;.*/, ''),
      })
    }
    const samples = VARIABLES.flatMap(({ name, sample }, at): [string, string][] =>
      name === 'RUN' || /^[a-z]{3}_[0-9a-z]{26}$/.test(values[at] as string)
        ? [[values[at] as string, sample]]
        : [],
    )
    // An assistant's redirect URL has the issuer as a parameter (RFC 9207).
    const bases: [string, string][] = [url, encodeURIComponent(url)].map((one) => [one, '$BASE'])
    return { known: new Map([...bases, ...samples]), recorded }
  } finally {
    await service.stop()
  }
}

function toExample(
  { operationId, body, status, media, bytes }: Recorded,
  stabilise: (text: string) => string,
): ResponseExample | null {
  const endpoint = allEndpoints().find((one) => one.operationId === operationId)
  if (!endpoint || status >= 300 || endpoint.exampleCall?.status || media === '') return null
  if (media !== 'application/json') return { status, media, size: toSizeClass(bytes) }
  if (DOCUMENTS.has(operationId)) return null
  const { value, isCut } = cutFields(
    cutLists(withKept(operationId, JSON.parse(body))),
    responseValidator(operationId, status),
  )
  return { status, ...(isCut && { isCut }), body: JSON.parse(stabilise(JSON.stringify(value))) }
}

function withKept(operationId: string, body: { data: Record<string, unknown>[] }): unknown {
  const isKept = KEPT[operationId]
  return isKept ? { ...body, data: body.data.filter(isKept) } : body
}

function toSizeClass(bytes: number): string {
  return SIZE_CLASSES.find(([kb]) => bytes < kb * 1_000)?.[1] ?? 'over 1 MB'
}

/** One line a response, so that a change shows which one. */
function toFileText(responses: readonly (readonly [string, ResponseExample])[]): string {
  const lines = responses.map(([operationId, example]) => `"${operationId}":${JSON.stringify(example)}`)
  return `{"generated_by":"scripts/record-responses.ts; do not edit.","responses":{\n${lines.join(',\n')}\n}}\n`
}
