import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { GrowingFile } from '../../../src/cli/recording/growing-file.ts'
import { temporaryFile } from '../../support/files.ts'

/** A list of texts as a file. */
function growing() {
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

test('the file holds all parts at any moment, longer and shorter ones, new and changed ones', () => {
  const { put, list } = growing()
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

test('what is closed has nothing in it but its parts, and nothing beside it', () => {
  const { path, put, close, text } = growing()

  put([0, 'x'.repeat(100_000)])
  put([0, 'short'], [1, 'é'])
  const open = text()
  close()

  expect(open.trimEnd()).toBe('{"list":[\n"short",\n"é"\n]}')
  expect(open.length).toBeGreaterThan(10_000)
  expect(text()).toBe('{"list":[\n"short",\n"é"\n]}\n')
  expect(readdirSync(dirname(path))).toEqual([basename(path)])
})

test('where nothing can be linked, a copy is seen, without room in it', () => {
  const { path, put, close, text } = growing()
  // What is there already cannot be linked to.
  const hinder = (): void => writeFileSync(`${path}.${process.pid}.c.tmp`, '')

  hinder()
  put([0, 'one'])
  const first = text()
  hinder()
  put([1, 'two'])
  const second = text()
  close()

  expect(first).toBe('{"list":[\n"one"\n]}\n')
  expect([second, text()]).toEqual(Array(2).fill('{"list":[\n"one",\n"two"\n]}\n'))
})
