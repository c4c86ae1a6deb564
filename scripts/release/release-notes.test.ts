import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { releaseNotes, requireVersions } from './release-notes.ts'

const CHANGELOG = `# Changelog

## [0.2.0] - Unreleased

- Not yet.

## [0.1.1] - 2027-02-01

### Fixed

- A fault.

## [0.1.0] - 2027-01-31

- The first.
`

test('the notes of a release are the section of its version', () => {
  assert.equal(releaseNotes(CHANGELOG, '0.1.1'), '### Fixed\n\n- A fault.')
  assert.equal(releaseNotes(CHANGELOG, '0.1.0'), '- The first.')
})

test('a release without a section, a date or notes is refused', () => {
  assert.throws(() => releaseNotes(CHANGELOG, '0.1'), /no section 0\.1\./)
  assert.throws(() => releaseNotes(CHANGELOG, '0.2.0'), /section 0\.2\.0 of CHANGELOG\.md has no date/)
  assert.throws(() => releaseNotes('## [1.0.0] - 2027-01-31\n\n## [0.9.0]\n', '1.0.0'), /has no notes/)
})

test('the tag is the version of every package', () => {
  const versions =
    (npm: string, mcp = npm, python = npm) =>
    (path: string) =>
      path.endsWith('.py') ? `VERSION = "${python}"\n` : `{"version":"${path.includes('mcp') ? mcp : npm}"}`
  requireVersions('0.1.0', versions('0.1.0'))
  assert.throws(
    () => requireVersions('0.1.0', versions('0.1.0', '0.0.9')),
    /The tag is for 0\.1\.0, but clients\/mcp\/package\.json has version 0\.0\.9\./,
  )
  assert.throws(
    () => requireVersions('0.1.0', versions('0.1.0', '0.1.0', '0.0.9')),
    /but clients\/python\/drover\/_version\.py has version 0\.0\.9\./,
  )
})

test('the packages of this commit have one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  requireVersions(version)
})
