/** A field of a request that is left out where there is nothing to say: `...optional('notes', notes)`. */
export function omitEmpty<K extends string, V>(name: K, value: V | null): Partial<Record<K, V>> {
  return (value === null || value === '' ? {} : { [name]: value }) as Partial<Record<K, V>>
}
