import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import {
  addChecksum,
  isTrusted,
  resumeState,
} from '../../../../src/world/persistence/saved-state.ts'

const world = () => [...createSimulator().world.toTexts()].join('')

test('a world with a checksum is the same JSON, and trusted', () => {
  const text = addChecksum(world())

  expect(JSON.parse(text)).toEqual({ checksum: expect.any(String), ...JSON.parse(world()) })
  expect(isTrusted(text)).toBe(true)
})

test.each([
  ['one changed letter', (text: string) => text.replace('Release 1.0', 'Release 1.1')],
  ['two swapped letters', (text: string) => text.replace('Release', 'Releaes')],
  ['a missing row', (text: string) => text.replace(/,\n\{"id":2,.*?\}(?=,\n)/, '')],
  ['a missing end', (text: string) => text.slice(0, -2)],
  ['a missing checksum', (text: string) => text.replace(/"checksum":"\w+",\n/, '')],
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
])('a text with %s is not trusted', (_, change) => {
  const text = addChecksum(world())
  const changed = change(text)

  expect(changed).not.toBe(text)
  expect(isTrusted(changed)).toBe(false)
})

test('a state that is refused is named with what to do, and other errors stay as they are', () => {
  const resume = (error: Error) => () => {
    const world = {
      resume() {
        throw error
      },
    }
    resumeState(world, '{}', { name: 'state file a.json', hint: 'Delete it.' })
  }

  expect(resume(new UsageError('2 issues'))).toThrow(
    new UsageError('Failed to read the state file a.json. Delete it.\n2 issues'),
  )
  expect(resume(new TypeError('broken'))).toThrow(new TypeError('broken'))
})

test('only a state of this version that was not changed is resumed without a check', () => {
  const checks: boolean[] = []
  const world = { resume: (_: object, needsCheck: boolean) => checks.push(needsCheck) }

  for (const text of [addChecksum('{\n"users":[]\n}'), '{"users":[]}']) {
    resumeState(world, text, { name: 'state', hint: '' })
  }

  expect(checks).toEqual([false, true])
})
