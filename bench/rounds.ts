/**
 * Runs every contender once a round, starting with another one each time: the first meets a colder machine. Returns
 * the measurements of each round.
 */
export async function rotated<Name extends string, Measured>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured>[]> {
  const names = Object.keys(contenders) as Name[]
  const measured: Record<Name, Measured>[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length
    const results: Partial<Record<Name, Measured>> = {}
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      results[name] = await contenders[name]()
    }
    measured.push(results as Record<Name, Measured>)
  }
  return measured
}
