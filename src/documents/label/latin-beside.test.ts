import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWithLatin } from './latin-beside.ts'

test('kana have their own romanisation, and Chinese characters beside kana have no Chinese reading', () => {
  assert.equal(textWithLatin('さくら'), 'さくら (sakura)')
  assert.equal(textWithLatin('山田さくら'), '山田さくら')
  assert.equal(textWithLatin('王小明'), '王小明 (Wang Xiao Ming)')
})
