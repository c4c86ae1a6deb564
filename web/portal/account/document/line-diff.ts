export type DiffLine =
  | { kind: 'same' | 'add' | 'remove'; number: number; text: string }
  | { kind: 'gap'; lines: number }

/** Unchanged lines that are shown before and after each change. */
const AROUND = 2

/**
 * Compares two texts line by line, with unchanged lines folded. Removed lines carry their old number, others their
 * new.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  return fold(everyLine(before.split('\n'), after.split('\n')))
}

function everyLine(
  before: readonly string[],
  after: readonly string[],
): Exclude<DiffLine, { kind: 'gap' }>[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++
  }
  const same = (text: string, index: number) => ({ kind: 'same' as const, number: index + 1, text })
  const middle = common(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  return [
    ...after.slice(0, head).map(same),
    ...middle.map((line) => ({ ...line, number: line.number + head })),
    ...after.slice(after.length - tail).map((text, index) => same(text, after.length - tail + index)),
  ]
}

/** By the longest common subsequence, after equal starts and ends are removed. */
function common(before: readonly string[], after: readonly string[]): Exclude<DiffLine, { kind: 'gap' }>[] {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1))
    }
  }
  const lines: Exclude<DiffLine, { kind: 'gap' }>[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const old = before[i]
    const fresh = after[j]
    if (old !== undefined && old === fresh)
      lines.push({ kind: 'same', number: ++j, text: before[i++] as string })
    else if (
      old !== undefined &&
      (fresh === undefined || at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    ) {
      lines.push({ kind: 'remove', number: ++i, text: old })
    } else lines.push({ kind: 'add', number: ++j, text: fresh as string })
  }
  return lines
}

function at(lengths: Uint32Array, index: number): number {
  return lengths[index] as number
}

function fold(lines: readonly Exclude<DiffLine, { kind: 'gap' }>[]): DiffLine[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  const out: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = out.at(-1)
    if (near[index]) out.push(line)
    else if (last?.kind === 'gap') last.lines++
    else out.push({ kind: 'gap', lines: 1 })
  }
  return out
}
