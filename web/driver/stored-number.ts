const KEY = 'drover-driver-number'

/** The number of the last login on this phone, so that the driver types it once. */
export function readNumber(): string {
  return localStorage.getItem(KEY) ?? ''
}

export function saveNumber(phone: string): void {
  localStorage.setItem(KEY, phone)
}

export function clearNumber(): void {
  localStorage.removeItem(KEY)
}
