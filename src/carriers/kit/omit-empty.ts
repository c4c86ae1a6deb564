/** Omits an empty field of a request: `...omitEmpty('notes', notes)`. */
export function omitEmpty<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return (value === null || value === '' ? {} : { [name]: value }) as Partial<Record<K, V>>
}
