const KEY = 'drover-driver-number'

/** The number of the last log-in on this phone, so that the driver types it once. */
export function keptNumber(): string {
  return localStorage.getItem(KEY) ?? ''
}

export function keepNumber(phone: string): void {
  localStorage.setItem(KEY, phone)
}

export function forgetNumber(): void {
  localStorage.removeItem(KEY)
}
