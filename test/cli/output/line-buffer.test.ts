import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { LineBuffer } from '../../../src/cli/output.ts'

/** A buffer, and the chunks that its stream receives. */
function createBuffer() {
  const stream = new PassThrough({ encoding: 'utf8' })
  const chunks: string[] = []
  stream.on('data', (text: string) => chunks.push(text))
  return { lines: new LineBuffer(stream), chunks }
}

test('the lines of one turn are printed together', async () => {
  const { lines, chunks } = createBuffer()

  lines.add(() => 'one')
  lines.add(() => 'two')
  const before = [...chunks]
  await new Promise((resolve) => setImmediate(resolve))

  expect([before, chunks]).toEqual([[], ['one\ntwo\n']])
})

test('flush prints the lines at once, and later lines wait again', async () => {
  const { lines, chunks } = createBuffer()

  lines.add(() => 'one')
  lines.flush()
  lines.flush()
  lines.add(() => 'two')
  const before = [...chunks]
  await new Promise((resolve) => setImmediate(resolve))

  expect([before, chunks]).toEqual([['one\n'], ['one\n', 'two\n']])
})
