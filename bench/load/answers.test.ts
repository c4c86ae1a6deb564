import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersOf } from './answers.ts'

const ANSWER = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nbody')

test('the parser counts each response once, wherever the stream is cut', () => {
  for (let cut = 1; cut < ANSWER.length; cut += 1) {
    const seen: number[] = []
    const read = answersOf((status) => seen.push(status))
    for (const part of [ANSWER.subarray(0, cut), ANSWER.subarray(cut), ANSWER]) read(part)
    assert.deepEqual(seen, [201, 201], `cut after ${cut} bytes`)
  }
})
