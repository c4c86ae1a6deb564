import type { Finding } from '../cli/deps.ts'

export function good(check: string, message: string): Finding {
  return { check, found: 'good', message, remedy: null }
}

export function note(check: string, message: string, remedy: string | null = null): Finding {
  return { check, found: 'note', message, remedy }
}

export function wrong(check: string, message: string, remedy: string): Finding {
  return { check, found: 'wrong', message, remedy }
}
