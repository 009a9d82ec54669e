import fs, { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GrowingFile } from '../../../src/cli/recording/recording-writer.ts'
import { temporaryFile } from '../../support/files.ts'

/** A growing list of texts. */
function createGrowingFile() {
  const path = temporaryFile('')
  const file = new GrowingFile(path, '{"list":[', '\n]}\n')
  let isClosed = false
  const close = (): void => {
    if (!isClosed) file.close()
    isClosed = true
  }
  onTestFinished(close)
  const put = (...parts: [number, string][]): void =>
    file.put(new Map(parts.map(([index, text]) => [index, JSON.stringify(text)])))
  const text = (): string => readFileSync(path, 'utf8')
  return { path, put, close, text, list: () => JSON.parse(text()).list as string[] }
}

test('the file has all parts at any moment: longer and shorter, new and changed ones', () => {
  const { put, list } = createGrowingFile()
  const expected: string[] = []

  for (let round = 0; round < 200; round++) {
    const text = `part ${round} ${'x'.repeat((round * 7919) % 5_000)}`
    const changed = (round * 31) % (round + 1)
    put([round, text], [changed, `${round}`])
    expected[round] = text
    expected[changed] = `${round}`

    expect(list()).toEqual(expected)
  }
})

test('a closed file has only its parts, and there are no other files in its folder', () => {
  const { path, put, close, text } = createGrowingFile()

  put([0, 'x'.repeat(100_000)])
  put([0, 'short'], [1, 'é'])
  const open = text()
  close()

  expect(open.trimEnd()).toBe('{"list":[\n"short",\n"é"\n]}')
  expect(open.length).toBeGreaterThan(10_000)
  expect(text()).toBe('{"list":[\n"short",\n"é"\n]}\n')
  expect(readdirSync(dirname(path))).toEqual([basename(path)])
})

test('without hard links the file is a copy, without spaces at its end', () => {
  const { path, put, close, text } = createGrowingFile()
  // A link cannot be created where a file is.
  const preventLink = (): void => writeFileSync(`${path}.${process.pid}.c.tmp`, '')

  preventLink()
  put([0, 'one'])
  const first = text()
  preventLink()
  put([1, 'two'])
  const second = text()
  close()

  expect(first).toBe('{"list":[\n"one"\n]}\n')
  expect([second, text()]).toEqual(Array(2).fill('{"list":[\n"one",\n"two"\n]}\n'))
})

test('a file system without hard links has copies', () => {
  const { path, put, list } = createGrowingFile()
  const link = vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    link.mockRestore()
    syncBuiltinESMExports()
  })

  put([0, 'one'])
  put([1, 'two'])

  expect(link).toHaveBeenCalledTimes(2)
  expect(list()).toEqual(['one', 'two'])
  expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.c.tmp'))).toEqual([])
})

test('links at the names of the temporary files are not followed', () => {
  const path = temporaryFile('')
  const secret = temporaryFile('secret')
  for (const name of ['a', 'b', 'c']) symlinkSync(secret, `${path}.${process.pid}.${name}.tmp`)

  const file = new GrowingFile(path, '[', ']')
  for (const index of [0, 1, 2]) file.put(new Map([[index, '1']]))
  file.close()

  expect([readFileSync(secret, 'utf8'), JSON.parse(readFileSync(path, 'utf8'))]).toEqual([
    'secret',
    [1, 1, 1],
  ])
})
