import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getFromNpm } from './from-npm.mjs'

/** The headless shell first: it does less work for the same pages. */
const OF_THE_SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Chromium's headless shell with the libraries and font it needs: a 65 MB download, 220 MB on disk. */
const [NAME, VERSION] = ['@sparticuz/chromium', '153.0.0']
const INTEGRITY =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='
const ITS_PLATFORM = 'linux-x64'
const HOME = join(import.meta.dirname, '..', '.node', `chromium-${VERSION}`)
const LAUNCHER = 'launch.sh'

/**
 * The Chromium for page tests: the one that `CHROMIUM_PATH` names, the system's, or one from npm, downloaded
 * once; null, with the reason logged, when there is no Chromium.
 */
export async function findChromium(): Promise<string | null> {
  const found = process.env.CHROMIUM_PATH ?? OF_THE_SYSTEM.find((path) => existsSync(path))
  if (found) return found
  if (`${process.platform}-${process.arch}` !== ITS_PLATFORM) return without(`npm has none for this platform`)
  const launcher = join(HOME, LAUNCHER)
  if (existsSync(launcher)) return launcher
  console.error(`Page tests need Chromium. Downloading ${NAME}@${VERSION} into .node/, once.`)
  try {
    await getFromNpm({ name: NAME, version: VERSION, integrity: INTEGRITY }, HOME, unpacked)
  } catch (error) {
    return without((error as Error).message)
  }
  return launcher
}

function without(why: string): null {
  console.error(`No Chromium for the page tests (${why}). Install Chromium and set CHROMIUM_PATH to it.`)
  return null
}

/** The package unpacks itself to the temporary folder. */
const UNPACK = `import chromium, { inflate } from '${NAME}'
import { fileURLToPath } from 'node:url'
await chromium.executablePath()
await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('${NAME}'))))`

/** Its own list of fonts, so that pages look the same on every machine. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

const LAUNCH = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_FILE="$here/fonts.conf" exec "$here/chromium" "$@"
`

function unpacked(folder: string): string {
  const home = join(folder, 'unpacked')
  mkdirSync(home)
  execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: folder,
    env: { ...process.env, TMPDIR: home },
  })
  writeFileSync(join(home, 'fonts.conf'), FONTS)
  writeFileSync(join(home, LAUNCHER), LAUNCH, { mode: 0o755 })
  return home
}
