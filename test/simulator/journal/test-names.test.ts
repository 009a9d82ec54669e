import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'

/** The test that an entry names. */
async function testOf(name: string): Promise<string | undefined> {
  const simulator = createSimulator()
  await simulator.fetch(annotationsPath, { headers: { 'understudy-test': name } })
  return simulator.journal.find()[0]?.test
}

test.each([
  ['a name', 'lists rows', 'lists rows'],
  ['an encoded name', 'gr%C3%BC%C3%9Ft', 'grüßt'],
  ['a name in UTF-8', 'grÃ¼Ã\x9ft', 'grüßt'],
  ['a name in Latin-1', 'grüßt', 'grüßt'],
  ['a name with a percent sign', '50 %', '50 %'],
  [
    'a name with a key, which is masked',
    'lists rows with phx_0123456789abcdefghijklmnop',
    'lists rows with phx_…mnop',
  ],
])('the test of an entry with %s', async (_, sent, shown) => {
  expect(await testOf(sent)).toBe(shown)
})

test('the name of a sandbox is that of its tests, unless a request names another one', async () => {
  const simulator = createSimulator()
  const { id, key, name } = simulator.sandboxes.create({ name: 'list.spec.ts > shows rows' })
  const sandbox = simulator.sandboxes.get(id)
  const headers = { authorization: `Bearer ${key}` }

  await simulator.fetch(annotationsPath, { headers })
  await simulator.fetch(annotationsPath, { headers: { ...headers, 'understudy-test': 'other' } })

  expect(name).toBe('list.spec.ts > shows rows')
  expect(sandbox?.journal.find().map((entry) => entry.test)).toEqual([
    'list.spec.ts > shows rows',
    'other',
  ])
  expect(simulator.sandboxes.list()[0]?.name).toBe(name)
})

test('the name of a sandbox is a text', () => {
  const { sandboxes } = createSimulator()

  expect(() => sandboxes.create({ name: 5 as never })).toThrow(
    'Failed to create a sandbox: name: expected string or null, got 5.',
  )
})
