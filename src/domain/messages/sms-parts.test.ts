import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSmsParts } from './sms-parts.ts'

test('an SMS is counted in the parts that a gateway charges for', () => {
  const rows: [string, string, 'GSM-7' | 'UCS-2', number, number, number, string][] = [
    ['an empty text', '', 'GSM-7', 0, 160, 1, ''],
    ['one full part', 'a'.repeat(160), 'GSM-7', 160, 160, 1, ''],
    ['one more', 'a'.repeat(161), 'GSM-7', 161, 306, 2, ''],
    ['two full parts', 'a'.repeat(306), 'GSM-7', 306, 306, 2, ''],
    ['three', 'a'.repeat(307), 'GSM-7', 307, 459, 3, ''],
    ['letters of the alphabet', 'Crème à la Ñandú'.replace('ú', 'u'), 'GSM-7', 16, 160, 1, ''],
    ['the extension counts two', '€'.repeat(80), 'GSM-7', 160, 160, 1, ''],
    ['… and one more is a second part', `${'€'.repeat(80)}a`, 'GSM-7', 161, 306, 2, ''],
    // 152 and an escape do not fit into 153: the character moves to the next part, and pushes one to a third.
    ['no character is split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 459, 3, ''],
    ['one tick', '✓', 'UCS-2', 1, 70, 1, '✓'],
    ['70 with a foreign one', `${'a'.repeat(69)}–`, 'UCS-2', 70, 70, 1, '–'],
    ['71', `${'a'.repeat(70)}–`, 'UCS-2', 71, 134, 2, '–'],
    ['an emoji counts two', '😀'.repeat(35), 'UCS-2', 70, 70, 1, '😀'],
    ['no emoji is split', '😀'.repeat(67), 'UCS-2', 134, 201, 3, '😀'],
    ['each foreign one once', '“a” “b”', 'UCS-2', 7, 70, 1, '“”'],
  ]
  for (const [title, text, encoding, units, room, parts, foreign] of rows) {
    assert.deepEqual(countSmsParts(text), { encoding, units, room, parts, foreign: [...foreign] }, title)
  }
})
