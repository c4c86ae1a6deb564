const MAX_SHOWN = 20
const NAME_WIDTH = 32

/** The figures of a run, a line each. */
export function figureTable(figures: readonly (readonly [name: string, value: string | number])[]): string {
  return figures.map(([name, value]) => `  ${name.padEnd(NAME_WIDTH)} ${value}`).join('\n')
}

/** What zero failures in `trials` cases prove: the rule of three (3/n, at 95 %). */
export function ruleOfThree(trials: number): string {
  return trials === 0 ? 'nothing' : `fewer than ${((3 / trials) * 100).toPrecision(2)} in 100`
}

/** Prints each violation as a line, the first ones only. */
export function printViolations(lines: readonly string[], max = MAX_SHOWN): void {
  for (const line of lines.slice(0, max)) console.log(`  ✖ ${line}`)
  if (lines.length > max) console.log(`  and ${lines.length - max} more`)
}

/** Prints the violations, and what none of them in `trials` cases proves; true without a violation. */
export function conclude(
  violations: readonly string[],
  trials: number,
  cases: string,
  max = MAX_SHOWN,
): boolean {
  printViolations(violations, max)
  console.log(
    violations.length === 0
      ? `No violation. Of ${cases} like these, ${ruleOfThree(trials)} cause one (3/n, at 95 %).`
      : `${violations.length} VIOLATIONS.`,
  )
  return violations.length === 0
}

/** Lines of a service's log at level error or fatal; `least` is the lowest level. */
export function errorsIn(log: string, least: 'warn' | 'error' = 'error'): string[] {
  const levels = { warn: '40|50|60', error: '50|60' }[least]
  return log.match(new RegExp(`^\\{.*"level":(?:${levels}).*$`, 'gm')) ?? []
}

export function toSeconds(ms: number | null): string {
  return ms === null ? '–' : `${(ms / 1_000).toFixed(1)} s`
}

/** How often each name occurs. */
export function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
