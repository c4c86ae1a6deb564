import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROGRAM } from '../../../test/program.ts'

function scriptFor(shell: string): string {
  return execFileSync(process.execPath, [PROGRAM, 'completion', shell], { encoding: 'utf8' })
}

test('Tab completes commands, verbs and options in bash', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-completion-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'drover.bash')
  writeFileSync(file, scriptFor('bash'))
  const completed = (...words: string[]): string[] => {
    const line = `source "$1"; COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _drover; printf '%s\\n' "\${COMPREPLY[@]}"`
    const out = execFileSync('bash', ['-c', line, 'bash', file, 'drover', ...words], {
      encoding: 'utf8',
      cwd: folder,
    })
    return out.split('\n').filter(Boolean)
  }

  assert.deepEqual(completed('do'), ['doctor'])
  assert.deepEqual(completed('delivery', 'l'), ['list', 'label'])
  assert.deepEqual(completed('delivery', 'list', '--sta'), ['--status'])
  assert.deepEqual(completed('quote', '--store', 'fitzroy', '--ex'), ['--explain'])
  assert.deepEqual(
    completed('account', 'validate', 'dro'),
    ['drover.bash'],
    'a file, if no command or option matches',
  )
})

test('the zsh script completes the same words', () => {
  const script = scriptFor('zsh')
  assert.match(script, /^#compdef drover\n/)
  assert.match(script, /\('delivery'\) choices='list get label book cancel decision resume erase --help' ;;/)
})

test('completion for an unknown shell is rejected by name', () => {
  assert.throws(
    () => execFileSync(process.execPath, [PROGRAM, 'completion', 'fish'], { stdio: 'pipe' }),
    /bash, zsh/,
  )
})
