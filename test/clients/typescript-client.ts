import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STRICT_SETTINGS, STRICT_SHOP } from '../../clients/typescript/src/test/strict-shop.ts'
import { buildClient } from '../../scripts/build-client.ts'
import { judged, type Part } from './part.ts'
import { nodeTool, run, typescriptTool, workerdTool } from './tools.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')
const CLIENT = join(import.meta.dirname, '../../clients/typescript')

/** One of each older line that `@drover/client` supports, besides the Node of this process. */
const OLDER_NODES = ['18.20.8', '20.20.0']
/** The oldest that its types are for, one in between, and the newest, which is written in Go. */
const TYPESCRIPTS = ['5.5.4', '5.9.3', '7.0.2']

/** Long enough for a busy machine; a worker that waits for ever has to fail. */
const ANSWER_WITHIN_MS = 60_000

/** Standard Webhooks 1.0.0 gives this example. */
const WEBHOOK = {
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
}

/**
 * A worker of the client's modules, in a runtime whose only globals are those of the Web: later compatibility dates add
 * Node's. Workers may reach only public addresses unless `internet` is given.
 */
const WORKERD = `using Workerd = import "/workerd/workerd.capnp";
const modules :List(Workerd.Worker.Module) = [ MODULES ];
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = .modules,
      compatibilityDate = "2025-06-01",
      bindings = [
        (name = "DROVER_URL", fromEnvironment = "DROVER_URL"),
        (name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET"),
      ],
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
`

/** Our own client for TypeScript and JavaScript, as it is published. */
export const TYPESCRIPT_CLIENT: Readonly<Record<string, Part>> = {
  /** On each Node that it supports. */
  async 'drover-client'({ folder, url }) {
    const work = await installed(join(folder, 'drover-client'))
    await cp(join(PROGRAMS, 'drover-client.txt'), join(work, 'program.mjs'))
    await cp(join(PROGRAMS, 'requests.json'), join(work, 'requests.json'))
    const nodes = [process.execPath, ...(await Promise.all(OLDER_NODES.map(nodeTool)))]
    for (const node of nodes) {
      const wrong = judged(await run(node, ['program.mjs', url], { cwd: work }))
      if (wrong !== '') return `${node}: ${wrong}`
    }
    return ''
  },

  /** In an edge runtime, bundled, with two requests at once that share one client. */
  async 'drover-edge'({ folder, url }) {
    const work = await installed(join(folder, 'drover-edge'))
    const worker = await startWorker(work, url)
    try {
      const { quote, delivery } = JSON.parse(await readFile(join(PROGRAMS, 'requests.json'), 'utf8'))
      const references = ['first', 'second'].map((name) => `edge-${name}-${Date.now()}`)
      const plays = references.map((reference) => worker.post('/play', { reference, quote, delivery }))
      const expected = {
        quoted: true,
        one_delivery: true,
        listed: true,
        label: '%PDF',
        event: 'delivery.created',
      }
      for (const played of await Promise.all(plays)) {
        if (played !== `200 ${JSON.stringify(expected)}`) return `It played ${played}`
      }
      const { body, headers, secret: _ } = WEBHOOK
      const answers = [
        await worker.post('/tokens', ''),
        await worker.post('/webhook', body, headers),
        await worker.post('/webhook', `${body} `, headers),
      ].join('\n')
      const wanted = `200 1\n200 ${headers['webhook-id']}\n400 signature_mismatch`
      return answers === wanted ? '' : `It answered ${answers}, not ${wanted}`
    } finally {
      await worker.stop()
    }
  },

  /** Its types, with each compiler and every library checked. */
  async 'drover-types'({ folder }) {
    const work = await installed(join(folder, 'drover-types'))
    await writeFile(join(work, 'shop.ts'), STRICT_SHOP)
    for (const version of TYPESCRIPTS) {
      const tsc = await typescriptTool(version)
      for (const compilerOptions of STRICT_SETTINGS) {
        const settings = JSON.stringify({ compilerOptions, files: ['shop.ts'] })
        await writeFile(join(work, 'tsconfig.json'), settings)
        await run(tsc, ['-p', work])
      }
    }
    return ''
  },
}

/** Makes the folder of a project that has installed the package. */
async function installed(work: string): Promise<string> {
  const target = join(work, 'node_modules/@drover/client')
  await mkdir(target, { recursive: true })
  await writeFile(join(work, 'package.json'), '{"private":true,"type":"module"}')
  await cp(join(CLIENT, 'package.json'), join(target, 'package.json'))
  buildClient(join(target, 'dist'))
  return work
}

type Worker = {
  /** The answer's status and text. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

async function startWorker(work: string, url: string): Promise<Worker> {
  const { build } = await import('rolldown')
  const input = join(work, 'worker.mjs')
  await cp(join(PROGRAMS, 'drover-edge.txt'), input)
  const output = { dir: join(work, 'bundle'), entryFileNames: '[name].mjs' }
  const bundle = await build({ input, cwd: work, platform: 'browser', output, logLevel: 'warn' })
  const modules = bundle.output.map(
    ({ fileName }) => `(name = "${fileName}", esModule = embed "bundle/${fileName}")`,
  )
  const config = join(work, 'workerd.capnp')
  await writeFile(config, WORKERD.replace('MODULES', modules.join(', ')))
  const env = { ...process.env, DROVER_URL: url, WEBHOOK_SECRET: WEBHOOK.secret }
  const flags = ['serve', '--control-fd=1', config]
  const program = spawn(await workerdTool(), flags, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const base = `http://127.0.0.1:${await listeningPort(program)}`
  return {
    async post(path, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const response = await fetch(base + path, { method: 'POST', headers, body: text, signal })
      return `${response.status} ${await response.text()}`
    },
    async stop() {
      const ended = once(program, 'close')
      // On SIGTERM it waits for its open requests. `kill` returns false if it has ended already.
      if (program.kill('SIGKILL')) await ended
    },
  }
}

/** Waits for the runtime's message that it listens; throws with its output if it ends before. */
function listeningPort(program: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [program.stdout, program.stderr]) {
      stream?.on('data', (text) => {
        output += text
        const port = /"event":"listen".*"port":(\d+)/.exec(output)?.[1]
        if (port !== undefined) resolve(port)
      })
    }
    program.on('error', reject)
    program.on('close', () => reject(new Error(output)))
  })
}
