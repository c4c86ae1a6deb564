import { readSetting, saveSetting } from '../shared/local-storage.ts'

const NAME = 'driver-number'

/** The number of the last login on this phone, so that the driver types it once. */
export function readNumber(): string {
  return readSetting(NAME) ?? ''
}

export function saveNumber(phone: string): void {
  saveSetting(NAME, phone)
}

export function clearNumber(): void {
  saveSetting(NAME, null)
}
