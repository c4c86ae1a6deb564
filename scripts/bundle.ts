import { copyFileSync, cpSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { licenceNotices, NOTICES_FILE } from './licence-notices.ts'

/**
 * Optional modules: a faster client that `pg` uses if installed, and those that Fastify loads only to check
 * bodies or for calls without a socket.
 */
const ASKED_FOR_BY_NOBODY = [
  'pg-native',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

const NODE_HTTP = 'node:http'
const FROM_UNDICI: ReadonlySet<string> = new Set(['WebSocket', 'CloseEvent', 'MessageEvent'])
/**
 * An import of `node:http` reads each of its exports, also `WebSocket`, for which Node then loads its own
 * undici: 13 MB that nobody uses. `require` reads none.
 */
const HTTP_WITHOUT_WEBSOCKET = {
  name: 'http-without-websocket',
  resolveId: (id: string, _importer: string | undefined, { kind }: { kind: string }) =>
    kind === 'import-statement' && (id === NODE_HTTP || id === 'http') ? `\0${NODE_HTTP}` : null,
  load(id: string) {
    if (id !== `\0${NODE_HTTP}`) return null
    const exported = Object.keys(http).filter((name) => name !== 'default' && !FROM_UNDICI.has(name))
    return `const http = process.getBuiltinModule('${NODE_HTTP}')
      export default http
      export const { ${exported.join(', ')} } = http`
  },
}

/** V8 keeps the source text of running code, so larger tables stay files beside it. */
const MAX_JSON_IN_CODE = 100_000
/** A large JSON file, such as the suburbs, is read and parsed at the start. */
const largeJsonBeside = (folder: string) => ({
  name: 'large-json-beside',
  load(id: string) {
    if (!id.endsWith('.json') || statSync(id).size <= MAX_JSON_IN_CODE) return null
    copyFileSync(id, join(folder, basename(id)))
    const code = `import { readFileSync } from 'node:fs'
      export default JSON.parse(readFileSync(new URL('./${basename(id)}', import.meta.url), 'utf8'))`
    return { code, moduleType: 'js' as const }
  },
})

/** The files below node_modules that the program reads while it runs: label fonts, HarfBuzz, a transliteration table. */
const READ_AT_RUN_TIME = [
  '@fontsource/*/files/*-{500,600,700}-normal.woff',
  '@fontsource-variable/noto-*/unicode.json',
  '@fontsource-variable/noto-*/files/*-wght-normal.woff2',
  'any-ascii/{package.json,any-ascii.js,block.js}',
  'harfbuzzjs/dist/harfbuzz.wasm',
]
/** A self-contained bundle keeps its copies of those files here. */
const COPIES = './packages/'

/**
 * V8 keeps the source text of running code, with two bytes per character if a single character needs two. Short text
 * saves a process 1.5 MB. Functions and classes keep their names, for stack traces.
 */
const MINIFIED_OUTPUT = {
  comments: false,
  charset: 'ascii',
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
} as const

type BundleOptions = {
  cwd: string
  folder: string
  /** The folder's final place, if it is moved. */
  home?: string
  /** Copies what the program reads from packages into the folder, so that it runs without node_modules. */
  standsAlone?: boolean
}

/**
 * Bundles a source and all its imports, packages included, into few files of one folder: loading 800 modules
 * takes Node three times as long. Throws when a package is missing.
 */
export async function bundle(
  input: string,
  { cwd, folder, home = folder, standsAlone = false }: BundleOptions,
): Promise<void> {
  const { rolldown } = await import('rolldown')
  mkdirSync(folder, { recursive: true })
  const packages = join(cwd, 'node_modules')
  const made = await rolldown({
    cwd,
    input,
    platform: 'node',
    external: ASKED_FOR_BY_NOBODY,
    plugins: [
      {
        name: 'own-address',
        // Each file finds its neighbours (migrations, fonts, styles) relative to its source.
        transform: {
          filter: { code: 'import.meta.', id: /^[^\0].*(?<!\.json)$/ },
          handler: (code, file) =>
            standsAlone
              ? withCopies(code, file, { home, packages })
              : withOwnAddress(code, relative(home, file)),
        },
      },
      HTTP_WITHOUT_WEBSOCKET,
      largeJsonBeside(folder),
    ],
  })
  const { output } = await made.write({ dir: folder, format: 'esm', ...MINIFIED_OUTPUT })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const copied = standsAlone ? globSync(READ_AT_RUN_TIME, { cwd: packages }) : []
  for (const path of copied) cpSync(join(packages, path), join(folder, COPIES, path))
  const notices = licenceNotices([...modules, ...copied.map((path) => join(packages, path))])
  writeFileSync(join(folder, NOTICES_FILE), notices)
  await made.close()
}

const withOwnAddress = (code: string, address: string) =>
  code.replaceAll('import.meta.url', `new URL(${JSON.stringify(address)}, import.meta.url).href`)

/** Rewrites `import.meta.resolve(…)` and `createRequire(…)('name')` so that they find the copied packages. */
function withCopies(
  code: string,
  file: string,
  { home, packages }: { home: string; packages: string },
): string {
  const { resolve } = createRequire(join(packages, 'any.js'))
  const address = file.startsWith(packages) ? `${COPIES}${relative(packages, file)}` : relative(home, file)
  return code
    .split(/(import\.meta\.resolve\(|createRequire\(import\.meta\.url\)\('[^':]+'\))/)
    .map((part) => {
      if (part === 'import.meta.resolve(')
        return `((path) => new URL('${COPIES}' + path, import.meta.url).href)(`
      const [, name] = /^createRequire\(import\.meta\.url\)\('([^':]+)'\)$/.exec(part) ?? []
      if (name === undefined) return withOwnAddress(part, address)
      return `createRequire(import.meta.url)('${COPIES}${relative(packages, resolve(name))}')`
    })
    .join('')
}
