import { dirname, join } from 'node:path/posix'

/**
 * Mistakes in the built site, one sentence each: links to pages, files and headings that it does not have, and anything
 * that a browser would load from another host. `files` are its paths, such as `guides/portal/index.html`; `base` is the
 * folder that it is published in, `/` at the top of a host.
 */
export function lintBuiltSite(
  html: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
  base: string,
): string[] {
  const ids = new Map(
    [...html].map(([path, text]) => [
      path,
      new Set([...text.matchAll(/\sid="?([^"\s>]+)/g)].map(([, id = '']) => id)),
    ]),
  )
  return [...html].flatMap(([path, text]) => {
    const loaded = [
      ...text.matchAll(/<(?:link|script|img|source|iframe)\b[^>]*?\s(?:src|href)="(https?:[^"]*)"/g),
    ]
    const links = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)
    return [
      ...loaded.map(([, target]) => `${path} loads ${target} from another host`),
      ...[...new Set(links)].flatMap((target) => {
        const why = whyBroken(path, target)
        return why ? [`${path} links to ${target}: ${why}`] : []
      }),
    ]
  })

  function whyBroken(path: string, target: string): string | null {
    if (/^[a-z]+:/.test(target)) return null
    const [address = '', hash = ''] = target.split('#')
    const to = address === '' ? path : toFile(join('/', dirname(path)), address)
    if (to === null || !files.has(to)) return 'no such page or file'
    const known = ids.get(to)
    return hash === '' || !known || known.has(decodeURIComponent(hash)) ? null : 'no such heading'
  }

  function toFile(folder: string, address: string): string | null {
    const whole = address.startsWith('/') ? address : join(base, folder, address)
    if (!`${whole}/`.startsWith(base)) return null
    const path = whole.slice(base.length)
    return path === '' || path.endsWith('/') ? `${path}index.html` : path
  }
}
