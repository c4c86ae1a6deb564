import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { licenceNotices, NOTICES_FILE } from './licence-notices.ts'

/** A faster client that `pg` takes where somebody installed it, and what Fastify reads only where it checks bodies or is called without a socket. */
const ASKED_FOR_BY_NOBODY = [
  'pg-native',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

/**
 * Writes a source and all that it imports, packages too, into few files of one folder: 800 modules take Node three
 * times as long. `home`: where the folder will stand, if it is moved. Throws where a package is missing.
 */
export async function bundle(
  input: string,
  { cwd, folder, home = folder }: { cwd: string; folder: string; home?: string },
): Promise<void> {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    cwd,
    input,
    platform: 'node',
    external: ASKED_FOR_BY_NOBODY,
    plugins: [
      {
        name: 'own-address',
        // Each file finds its neighbours (migrations, fonts, styles) from where it was written.
        transform: {
          filter: { code: 'import.meta.url', id: /^[^\0]/ },
          handler: (code, file) =>
            code.replaceAll(
              'import.meta.url',
              `new URL(${JSON.stringify(relative(home, file))}, import.meta.url).href`,
            ),
        },
      },
    ],
  })
  // V8 keeps the text of all that runs, in two bytes a letter where one letter of it needs two.
  const { output } = await made.write({ dir: folder, format: 'esm', comments: false, charset: 'ascii' })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, NOTICES_FILE), licenceNotices(modules))
  await made.close()
}
