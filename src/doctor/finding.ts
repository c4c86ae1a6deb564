import type { Finding } from '../cli/deps.ts'

export function good(check: string, said: string): Finding {
  return { check, found: 'good', said, remedy: null }
}

export function note(check: string, said: string, remedy: string | null = null): Finding {
  return { check, found: 'note', said, remedy }
}

export function wrong(check: string, said: string, remedy: string): Finding {
  return { check, found: 'wrong', said, remedy }
}
