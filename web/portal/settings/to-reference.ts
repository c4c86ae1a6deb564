/** `St. Kilda Road` → `st-kilda-road`: shop systems identify the store by it. Empty for a name without Latin letters. */
export function toReference(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** As `toReference`; for a name without Latin letters, the first of `store-2`, `store-3`… that is free. */
export function toStoreReference(name: string, taken: readonly string[]): string {
  const reference = toReference(name)
  if (reference !== '' || name.trim() === '') return reference
  let number = 2
  while (taken.includes(`store-${number}`)) number++
  return `store-${number}`
}
