import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
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

/**
 * Bundles a source and all its imports, packages included, into few files of one folder: loading 800 modules
 * takes Node three times as long. `home`: the folder's final place, if it is moved. Throws when a package is
 * missing.
 */
export async function bundle(
  input: string,
  { cwd, folder, home = folder }: { cwd: string; folder: string; home?: string },
): Promise<void> {
  const { rolldown } = await import('rolldown')
  mkdirSync(folder, { recursive: true })
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
          filter: { code: 'import.meta.url', id: /^[^\0].*(?<!\.json)$/ },
          handler: (code, file) =>
            code.replaceAll(
              'import.meta.url',
              `new URL(${JSON.stringify(relative(home, file))}, import.meta.url).href`,
            ),
        },
      },
      HTTP_WITHOUT_WEBSOCKET,
      largeJsonBeside(folder),
    ],
  })
  // V8 keeps the source text of running code, with two bytes per character if a single character needs two.
  const { output } = await made.write({ dir: folder, format: 'esm', comments: false, charset: 'ascii' })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, NOTICES_FILE), licenceNotices(modules))
  await made.close()
}
