import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'

// Other tests may have loaded it while fake timers were installed.
vi.resetModules()
const { LineBuffer } = await import('../../../src/cli/output/line-buffer.ts')

/** What a stream is given, by each time that its reader is woken up. */
function read() {
  const stream = new PassThrough({ encoding: 'utf8' })
  const seen: string[] = []
  stream.on('data', (text: string) => seen.push(text))
  return { lines: new LineBuffer(stream), seen }
}

test('lines that come one after another are printed together, a little later', async () => {
  const { lines, seen } = read()

  lines.add(() => 'one')
  lines.add(() => 'two')
  await new Promise((resolve) => setImmediate(resolve))
  const before = [...seen]
  await vi.waitFor(() => expect(seen.join('')).toBe('one\ntwo\n'))

  expect(before).toEqual([])
})

test('what waits is printed at once where that is asked for, and what comes then waits again', async () => {
  const { lines, seen } = read()

  lines.add(() => 'one')
  lines.flush()
  lines.flush()
  lines.add(() => 'two')
  await new Promise((resolve) => setImmediate(resolve))
  const before = seen.join('')
  await vi.waitFor(() => expect(seen.join('')).toBe('one\ntwo\n'))

  expect(before).toBe('one\n')
})
