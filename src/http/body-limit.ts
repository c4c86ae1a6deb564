/** Of every endpoint that names no other. */
export const BODY_LIMIT = 1024 * 1024

/** As people say it: `7 MiB`. */
export function inMebibytes(bytes: number): string {
  return `${bytes / 1024 ** 2} MiB`
}
