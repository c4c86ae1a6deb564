/** What one check found. `wrong` wants doing something about; a `note` only wants knowing. */
export type Finding = {
  check: string
  found: 'good' | 'note' | 'wrong'
  said: string
  /** What to do; null where there is nothing to do. */
  remedy: string | null
}

export function good(check: string, said: string): Finding {
  return { check, found: 'good', said, remedy: null }
}

export function note(check: string, said: string, remedy: string | null = null): Finding {
  return { check, found: 'note', said, remedy }
}

export function wrong(check: string, said: string, remedy: string): Finding {
  return { check, found: 'wrong', said, remedy }
}
