/** The fields of `package.json` that we read. */
export type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

/** The fields of `package-lock.json` that we read; packages by path, our own under ''. */
export type Lock = {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}
type LockedPackage = {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

/**
 * Mistakes in the dependencies, one sentence each: installed packages must be the reviewed ones, from the
 * registry only.
 */
export function lintLock(manifest: Manifest, { lockfileVersion, packages }: Lock): string[] {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  const wrong = Object.entries(wanted).flatMap(([name, version]) => {
    if (!EXACT.test(version)) return [`${name}: "${version}" is not an exact version`]
    const locked = packages[`node_modules/${name}`]?.version
    return locked === version
      ? []
      : [`${name}: package.json has ${version}, but ${locked ?? 'no version'} is locked`]
  })
  if (lockfileVersion !== 3) wrong.push(`package-lock.json is of version ${lockfileVersion}, not 3`)
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue
    for (const { when, why } of RULES) if (when(locked)) wrong.push(`${path}: ${why}`)
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (locked.hasInstallScript && !manifest.allowScripts?.[name]) {
      wrong.push(
        `${path}: it runs an install script; review the script, then add the package to allowScripts`,
      )
    }
  }
  return wrong
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

const RULES: readonly { when: (locked: LockedPackage) => boolean; why: string }[] = [
  { when: ({ link }) => link === true, why: 'it is a link to a folder' },
  { when: ({ integrity }) => !integrity?.startsWith('sha512-'), why: 'it has no sha512 integrity hash' },
  // Without a host npm uses the configured registry, and the hash proves that the package is the same.
  { when: ({ resolved }) => resolved !== undefined, why: 'it names a host: leave `resolved` out' },
]
