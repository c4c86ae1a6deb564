/** `1 parcel`, `2 parcels`; the plural is the word with an s unless one is given. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-AU')} ${number === 1 ? one : many}`
}
