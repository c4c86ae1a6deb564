/** A source file: its path from the project's root, with slashes, and its text. */
export type SourceFile = { path: string; text: string }

/**
 * Text that a source must not contain outside its one allowed place, one sentence each. Neither the compiler
 * nor the linter finds these.
 */
export function lintSources(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        RULES.filter(({ applies, pattern }) => applies(path) && pattern.test(withoutComment(line))).map(
          ({ why }) => `${path}:${index + 1}: ${why}`,
        ),
      ),
  )
}

const isTest = (path: string) => path.endsWith('.test.ts')
const inDomain = (path: string) => path.startsWith('src/domain/') && !isTest(path)
const inSource = (path: string) => /^(src|fakes)\//.test(path) && !isTest(path)

const RULES: readonly { applies: (path: string) => boolean; pattern: RegExp; why: string }[] = [
  {
    applies: inDomain,
    pattern: /\bDate\.now\s*\(|\bnew Date\s*\(\s*\)|\bDate\s*\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b/,
    why: 'the domain has no clock: take the instant as an argument',
  },
  {
    applies: inDomain,
    pattern: /\bMath\.random\s*\(|\bcrypto\.(random|getRandom)/,
    why: 'the domain has no random numbers: take the drawn value as an argument',
  },
  {
    applies: (path) =>
      inSource(path) &&
      path !== 'src/carriers/port/send.ts' &&
      !/^src\/(notify|cli|doctor)\//.test(path) &&
      !path.startsWith('fakes/'),
    pattern: /(?<![.\w])fetch\s*\((?!ref: )/,
    why: 'only carriers/port/send.ts and notify/ make network calls',
  },
  {
    // embedded/user.ts reads no setting: it passes a part of the environment to PostgreSQL.
    applies: (path) => inSource(path) && !['src/config.ts', 'src/embedded/user.ts'].includes(path),
    pattern: /\bprocess\.env\b/,
    why: 'only config.ts reads the environment',
  },
  {
    applies: (path) => inSource(path) && path !== 'src/store/leases/claim-due.ts',
    pattern: /\bclaims\s*=\s*(?:\w+\.)?claims\s*\+\s*1\b/,
    why: 'there is one claim statement: describe the table to makeClaimer of store/leases/claim-due.ts',
  },
  {
    applies: (path) => path.startsWith('src/store/') && !isTest(path),
    pattern: /\b[a-z_]+\s*=\s*(?:jsonb?_build_(?:object|array)|to_jsonb?)\s*\(/,
    why: 'Citus refuses a stable function of columns in an update, and these are stable: build the text and cast it',
  },
]

function withoutComment(line: string): string {
  return /^\s*(\/\/|\/?\*)/.test(line) ? '' : line.replace(/\s\/\/.*$/, '')
}
