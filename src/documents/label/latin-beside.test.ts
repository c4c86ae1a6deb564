import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWithLatin } from './latin-beside.ts'

test('kana have their own romanisation, and Chinese characters beside kana have no Chinese reading', () => {
  assert.equal(textWithLatin('さくら'), 'さくら (sakura)')
  assert.equal(textWithLatin('山田さくら'), '山田さくら')
  assert.equal(textWithLatin('王小明'), '王小明 (Wang Xiao Ming)')
})

test('a transliteration has the spaces that a driver expects', () => {
  const cases = [
    ['请放在门口，谢谢！', 'Qing Fang Zai Men Kou, Xie Xie!'],
    ['睡觉（3B单元）。电话：0491 570 157，谢谢', 'Shui Jue (3B Dan Yuan). Dian Hua: 0491 570 157, Xie Xie'],
    ['아기가', 'A Gi Ga'],
    ['Մի՛ զանգեք', "Mi zangek'"],
  ] as const
  for (const [text, latin] of cases) assert.equal(textWithLatin(text), `${text} (${latin})`)
})
