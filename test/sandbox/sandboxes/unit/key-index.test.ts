import { expect, test } from 'vitest'
import { KeyIndex } from '../../../../src/sandbox/sandboxes/registry.ts'
import { createSimulator } from '../../../../src/simulator.ts'

/** An index of simulators with the same keys, in which each one is found by its name. */
function createIndex(...names: readonly string[]) {
  const index = new KeyIndex()
  const entries = names.map((name) => {
    const simulator = createSimulator()
    const entry = { name, simulator, sandbox: simulator.sandbox }
    index.add(entry)
    return entry
  })
  const nameOf = (key: string) => entries.find((entry) => entry === index.get(key))?.name
  return { index, entries, nameOf }
}

test('the first of the sandboxes with a key is selected, then the next one', () => {
  const { index, entries, nameOf } = createIndex('a', 'b', 'c')
  const selected = [nameOf('phx_all')]

  for (const entry of entries) {
    index.delete(entry)
    selected.push(nameOf('phx_all'))
  }

  expect(selected).toEqual(['a', 'b', 'c', undefined])
})

test('a key is found from when it is issued until it is revoked', () => {
  const { entries, nameOf } = createIndex('a', 'b')
  const [a, b] = entries.map(({ simulator }) => simulator.keys)

  b?.issue({ value: 'phx_new' })
  a?.issue({ value: 'phx_new' })
  const issued = nameOf('phx_new')
  b?.revoke('phx_new')
  const revoked = nameOf('phx_new')
  a?.revoke('phx_new')

  expect([issued, revoked, nameOf('phx_new'), nameOf('phx_all')]).toEqual([
    'b',
    'a',
    undefined,
    'a',
  ])
})

test('a key whose scopes change keeps its rank, and writes to other lists change nothing', () => {
  const { entries, nameOf } = createIndex('a', 'b')
  const { simulator, sandbox } = entries[0] as (typeof entries)[number]
  const row = sandbox.tables.keys.get('phx_all')

  sandbox.tables.keys.put({ ...(row as NonNullable<typeof row>), scopes: ['annotation:read'] })
  simulator.world.annotations.create({ content: 'x' })

  expect(nameOf('phx_all')).toBe('a')
})

test('the keys of a replaced world are found, and those of the former one are not', () => {
  const { entries, nameOf } = createIndex('a', 'b')
  const [a] = entries.map(({ simulator }) => simulator)
  const world = a?.world.toJSON()
  const [all, ...others] = world?.keys ?? []

  a?.keys.issue({ value: 'phx_own' })
  a?.replaceWorld({ ...world, keys: [{ ...all, value: 'phx_new' }, ...others] } as never)
  const replaced = ['phx_own', 'phx_new', 'phx_all', others[0]?.value ?? ''].map(nameOf)
  a?.replaceWorld('default')

  expect(replaced).toEqual([undefined, 'a', 'b', 'a'])
  expect(['phx_new', 'phx_all'].map(nameOf)).toEqual([undefined, 'b'])
})

test('a sandbox that was deleted and ended is not followed any more', () => {
  const { index, entries, nameOf } = createIndex('a')
  const [entry] = entries

  if (entry) index.delete(entry)
  entry?.sandbox.close()
  entry?.simulator.keys.issue({ value: 'phx_late' })
  entry?.simulator.replaceWorld('default')

  expect(['phx_late', 'phx_all'].map(nameOf)).toEqual([undefined, undefined])
})
