/**
 * Uses after which a statement variant is prepared. Planning a change of a delivery takes 1.1 ms of the database's CPU
 * time, each time; prepared, it takes 0.1 ms, plus 0.3 MB in every connection that has sent it, which is too much for
 * rare variants.
 */
const OFTEN = 20

/**
 * For a statement with generated text: the name to prepare this text under once it has been used often, as
 * `family/number`, and no name before. There must be finitely many texts, with every value bound.
 */
export function preparedWhenOften(family: string): (text: string) => { name?: string } {
  const uses = new Map<string, { count: number; name: string }>()
  return (text) => {
    const known = uses.get(text)
    if (!known) {
      uses.set(text, { count: 1, name: `${family}/${uses.size + 1}` })
      return {}
    }
    known.count += 1
    return known.count > OFTEN ? { name: known.name } : {}
  }
}
