import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { guideFiles, type Page } from './lint-markdown.ts'

const FOLDER = '.node/guides'

/**
 * Writes the TypeScript blocks of the guides to the files that they name, and a project that compiles them with the
 * sources. Returns the project.
 */
export function writeGuideProject(pages: readonly Page[]): string {
  rmSync(FOLDER, { recursive: true, force: true })
  for (const { path, text } of guideFiles(pages)) {
    mkdirSync(dirname(join(FOLDER, path)), { recursive: true })
    writeFileSync(join(FOLDER, path), text)
  }
  mkdirSync(FOLDER, { recursive: true })
  const root = '../..'
  const project = {
    extends: `${root}/tsconfig.json`,
    // The guides' files are in the places that they name, so that their imports resolve.
    compilerOptions: {
      rootDirs: [root, '.'],
      typeRoots: [`${root}/node_modules/@types`],
      // The client's README imports it by its published name.
      paths: {
        '@drover/client': [`${root}/clients/typescript/src/index.ts`],
        '@drover/client/webhooks': [`${root}/clients/typescript/src/webhooks.ts`],
      },
    },
    include: [
      ...['src', 'fakes', 'test', 'scripts', 'bench', 'clients'].map((folder) => `${root}/${folder}`),
      '**/*.ts',
    ],
  }
  writeFileSync(join(FOLDER, 'tsconfig.json'), `${JSON.stringify(project, null, 2)}\n`)
  return FOLDER
}

/** Compile errors in a guide's file, with the guide's name. */
export function withGuideLines(output: string): string {
  return output.replaceAll(`${FOLDER}/`, 'in the guides: ')
}
