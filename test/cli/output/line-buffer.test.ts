import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'

// Other tests may have loaded it while fake timers were installed.
vi.resetModules()
const { LineBuffer } = await import('../../../src/cli/output.ts')

/** A buffer, and the chunks that its stream receives. */
function createBuffer(delay = 20) {
  const stream = new PassThrough({ encoding: 'utf8' })
  const chunks: string[] = []
  stream.on('data', (text: string) => chunks.push(text))
  return { lines: new LineBuffer(stream, delay), chunks }
}

test('lines are printed together, a little later', async () => {
  const { lines, chunks } = createBuffer()

  lines.add(() => 'one')
  lines.add(() => 'two')
  await new Promise((resolve) => setImmediate(resolve))
  const before = [...chunks]
  await expect.poll(() => chunks.join('')).toBe('one\ntwo\n')

  expect(before).toEqual([])
})

test('flush prints the lines at once, and later lines wait again', async () => {
  const { lines, chunks } = createBuffer()

  lines.add(() => 'one')
  lines.flush()
  lines.flush()
  lines.add(() => 'two')
  await new Promise((resolve) => setImmediate(resolve))
  const before = chunks.join('')
  await expect.poll(() => chunks.join('')).toBe('one\ntwo\n')

  expect(before).toBe('one\n')
})

test('without a delay, the lines of one turn are printed together', async () => {
  const { lines, chunks } = createBuffer(0)

  lines.add(() => 'one')
  lines.add(() => 'two')
  await new Promise((resolve) => setImmediate(resolve))

  expect(chunks).toEqual(['one\ntwo\n'])
})
