import { spawnSync } from 'node:child_process'

/** Tool → its Debian package. */
const TOOLS = {
  bash: 'bash',
  curl: 'curl',
  npm: 'npm',
  prlimit: 'util-linux',
  pdfinfo: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  qpdf: 'qpdf',
  zbarimg: 'zbar-tools',
  dmtxread: 'dmtx-utils',
}
type Tool = keyof typeof TOOLS

/** Why a test that needs these tools is skipped, or false. On CI the test always runs, and fails if a tool is missing. */
export function without(...tools: Tool[]): string | false {
  const missing = tools.filter((tool) => spawnSync(tool, ['--help']).error)
  if (missing.length === 0 || process.env.CI === 'true') return false
  return `needs ${missing.join(', ')} (Debian: ${[...new Set(missing.map((tool) => TOOLS[tool]))].join(' ')})`
}
