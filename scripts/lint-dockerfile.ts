/** Mistakes in a Dockerfile, one sentence each: only our own rules, not those of every linter. */
export function lintDockerfile(
  text: string,
  dockerignore: string,
  exists: (path: string) => boolean,
): string[] {
  const instructions = readInstructions(text)
  const stages = new Set<string>()
  const letIn = dockerignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  const wrong = instructions.flatMap(({ word, rest }) => {
    if (word === 'FROM') {
      const [, image = '', stage] = /^(\S+)(?: AS (\w+))?$/.exec(rest) ?? []
      if (stage) stages.add(stage)
      // PostgreSQL needs no minor version: all minor versions of a major one can read the same data files.
      return /:\d+\.\d+|^postgres:\d+$/.test(image) ? [] : [`FROM ${image} names no minor version`]
    }
    if (word === 'COPY') return copies(rest, stages, (path) => letIn.includes(path) && exists(path))
    if (word === 'RUN' && /\bnpm (ci|install)\b/.test(rest) && !rest.includes('--ignore-scripts')) {
      return ['npm must not run packages’ scripts: add --ignore-scripts']
    }
    if ((word === 'CMD' || word === 'ENTRYPOINT') && !isWords(rest)) {
      return [`write ${word} as a JSON array: a shell in between does not pass signals on`]
    }
    return KNOWN.has(word) ? [] : [`${word} is not allowed here`]
  })
  const user = instructions.findLast(({ word }) => word === 'USER')?.rest ?? ''
  if (!/^[1-9]\d*(:\d+)?$/.test(user)) wrong.push('the last USER must be a user with a number that is not 0')
  return wrong
}

const KNOWN = new Set(['ARG', 'CMD', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'RUN', 'USER', 'WORKDIR'])

function copies(rest: string, stages: ReadonlySet<string>, isGiven: (path: string) => boolean): string[] {
  const words = rest.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : null
  if (from) return stages.has(from) ? [] : [`there is no stage ${from}`]
  const sources = words.slice(0, -1).filter((path) => path !== '.')
  return sources
    .filter((path) => !isGiven(path))
    .map((path) => `${path} does not exist, or .dockerignore leaves it out`)
}

function readInstructions(text: string): { word: string; rest: string }[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    return word ? [{ word, rest: rest.trim() }] : line.trim() ? [{ word: line.trim(), rest: '' }] : []
  })
}

function isWords(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((one) => typeof one === 'string')
  } catch {
    return false
  }
}
