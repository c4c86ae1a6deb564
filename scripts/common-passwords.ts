/**
 * Writes `src/domain/people/common-passwords.generated.ts`: of the 49,233 most common passwords, those that
 * are long enough to be accepted, most common first, from the ranked list in
 * @zxcvbn-ts/language-common (MIT). ASVS 5, 6.2.4 requires the first 3,000 of them. `node
 * scripts/with-node.mjs scripts/common-passwords.ts`
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dictionary } from '@zxcvbn-ts/language-common'
import { SHORTEST_PASSWORD } from '../src/domain/people/user.ts'

const FILE = fileURLToPath(new URL('../src/domain/people/common-passwords.generated.ts', import.meta.url))

const ranked: readonly string[] = dictionary['passwords-common']
const long = ranked.map((one) => one.toLowerCase()).filter((one) => [...one].length >= SHORTEST_PASSWORD)
const chosen = [...new Set(long)]
writeFileSync(
  FILE,
  `// Made by scripts/common-passwords.ts of @zxcvbn-ts/language-common (MIT, https://github.com/zxcvbn-ts/zxcvbn). Do not edit.
/** Most common first, one per line: no password has a line break. */
export const COMMON_PASSWORDS = String.raw\`
${chosen.join('\n')}
\`
`,
)
console.log(`${chosen.length} of ${ranked.length} are long enough.`)
