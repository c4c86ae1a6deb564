import { closeSync, constants, openSync, readFileSync } from 'node:fs'

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/**
 * Opens a file, but refuses a symbolic link. The folder belongs to the user who runs PostgreSQL. A link that this user
 * puts there must not lead root to another file.
 */
export function openNoFollow(file: string, flags: number, mode?: number): number {
  try {
    return openSync(file, flags | NO_FOLLOW, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
    throw new Error(`${file} is a symbolic link, and Drover follows no links here. Use a regular file.`, {
      cause: error,
    })
  }
}

export function readNoFollow(file: string): string {
  const opened = openNoFollow(file, constants.O_RDONLY)
  try {
    return readFileSync(opened, 'utf8')
  } finally {
    closeSync(opened)
  }
}
