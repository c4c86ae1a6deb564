import { createInterface } from 'node:readline/promises'

/** Returns if the person at the terminal answers "yes"; otherwise throws a sentence. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Error('Nothing was done: there is no terminal for the confirmation. Add --yes to skip it.')
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await reader.question(`${question} Type yes to go on: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new Error('Nothing was done.')
  } finally {
    reader.close()
  }
}
