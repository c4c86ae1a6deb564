import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Number of pages and the size of each in whole millimetres. */
export function pagesOf(pdf: Buffer): { count: number; size: string } {
  return inFolder(pdf, (file) => {
    const message = execFileSync('pdfinfo', [file], { encoding: 'utf8' })
    const points = /Page size: +([\d.]+) x ([\d.]+)/.exec(message)!
    const millimetres = points.slice(1).map((value) => Math.round((Number(value) / 72) * 25.4))
    return { count: Number(/Pages: +(\d+)/.exec(message)![1]), size: millimetres.join(' × ') }
  })
}

/** The text that a person could select and copy, page by page. */
export function textOf(pdf: Buffer, { layout = true } = {}): string[] {
  return inFolder(pdf, (file) =>
    execFileSync('pdftotext', [layout ? '-layout' : '-raw', file, '-'], { encoding: 'utf8', maxBuffer: 1e9 })
      .split('\f')
      .slice(0, -1),
  )
}

/** The file as qpdf reads it, streams unpacked; throws if qpdf finds a fault. */
export function unpacked(pdf: Buffer): string {
  return inFolder(pdf, (file) => {
    execFileSync('qpdf', ['--check', file])
    return execFileSync('qpdf', ['--qdf', '--object-streams=disable', file, '-'], {
      maxBuffer: 1e9,
    }).toString('latin1')
  })
}

/** The codes that scanners read from each page printed at 300 dpi. */
export function scansOf(pdf: Buffer): { linear: string; matrix: string }[] {
  return inFolder(pdf, (file, folder) => {
    execFileSync('pdftoppm', ['-r', '300', '-gray', '-png', file, join(folder, 'page')])
    const pages = readdirSync(folder).filter((name) => name.endsWith('.png'))
    return pages.sort().map((name) => {
      const page = join(folder, name)
      const linear = spawnSync('zbarimg', ['-q', '--raw', '--nodbus', '-Sdisable', '-Scode128.enable', page])
      const matrix = spawnSync('dmtxread', ['-N1', '-m60000', '-G29', page])
      return { linear: linear.stdout.toString('latin1').trim(), matrix: matrix.stdout.toString('latin1') }
    })
  })
}

function inFolder<T>(pdf: Buffer, use: (file: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'label-'))
  try {
    const file = join(folder, 'labels.pdf')
    writeFileSync(file, pdf)
    return use(file, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
