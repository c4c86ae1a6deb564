import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type Example = { operationId: string; lines: string }

/** The example of each operation on the reference page: its curl, or its call of the TypeScript or Python client. */
export function listExamples(page: string, kind: 'example' | 'client' | 'python'): Example[] {
  return [...page.matchAll(new RegExp(`<code data-${kind}="(\\w+)">([\\s\\S]*?)</code>`, 'g'))].map(
    ([, operationId = '', lines = '']) => ({ operationId, lines: unescaped(lines) }),
  )
}

/** The text of the one code block of the page with this mark. */
export function getMarkedCode(
  page: string,
  mark: 'data-variables' | 'data-client-set-up' | 'data-python-set-up',
): string {
  const [, code] = new RegExp(`<code ${mark}>([\\s\\S]*?)</code>`).exec(page) ?? []
  if (code === undefined) throw new Error(`The page has no code with ${mark}.`)
  return unescaped(code)
}

export async function runInBash(lines: string): Promise<{ stdout: string; stderr: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'drover-examples-'))
  const bash = spawn('bash', { cwd })
  bash.stdin.end(lines)
  const [stdout, stderr] = await Promise.all([text(bash.stdout), text(bash.stderr)])
  await rm(cwd, { recursive: true })
  return { stdout, stderr }
}

function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
