/** Settings that this browser stores for its user; without storage they are lost, and everything else works. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`drover-${name}`)
  } catch {
    return null
  }
}

export function saveSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`drover-${name}`)
    else localStorage.setItem(`drover-${name}`, value)
  } catch {
    // Private windows may refuse.
  }
}
