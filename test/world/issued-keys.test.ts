import { expect, test } from 'vitest'
import type { Scope } from '../../src/index.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'

const issueFive = ({ keys }: Simulator) => Array.from({ length: 5 }, () => keys.issue())

test('an issued key has the format of the service, and full access by default', () => {
  const { keys } = createSimulator()

  const value = keys.issue()

  expect(value).toMatch(/^phx_[A-Za-z0-9]{40}$/)
  expect(keys.list().at(-1)).toEqual({
    value,
    label: value,
    user: 1,
    scopes: ['*'],
    projects: [],
    organizations: [],
  })
})

test('issue accepts every field of a key', () => {
  const { keys } = createSimulator()
  const key = {
    value: 'mine',
    label: 'Reads in project 2',
    user: 2,
    scopes: ['annotation:read' as const],
    projects: [2],
    organizations: ['018f2b6e-0000-7000-8000-00000000000a'],
  }

  expect(keys.issue(key)).toBe('mine')
  expect(keys.list().at(-1)).toEqual(key)
  expect(keys.issue({ scopes: null, value: 'old' })).toBe('old')
  expect(keys.list().at(-1)?.scopes).toBeNull()
})

test('issue accepts scopes of other APIs', () => {
  const { keys } = createSimulator()

  const scopes = ['feature_flag:read' as Scope, 'project:read', '*'] as const
  expect(() => keys.issue({ user: 99 })).toThrow()
  expect(keys.issue({ scopes })).toBe(createSimulator().keys.issue())
  expect(keys.list().at(-1)?.scopes).toEqual(scopes)
})

test('issued keys are derived from the seed, and all differ', () => {
  const [first, same] = [
    issueFive(createSimulator({ seed: 7 })),
    issueFive(createSimulator({ seed: 7 })),
  ]
  const other = issueFive(createSimulator({ seed: 8 }))
  const ofWorld = issueFive(
    createSimulator({ world: { ...createSimulator().world.toJSON(), seed: 7 } }),
  )

  expect(same).toEqual(first)
  expect(ofWorld).toEqual(first)
  expect(new Set([...first, ...other]).size).toBe(10)
})

test('after a reset the same keys are issued again, but never a key that exists', () => {
  const simulator = createSimulator({ seed: 7 })
  const first = issueFive(simulator)

  simulator.reset()
  expect(issueFive(simulator)).toEqual(first)

  simulator.reset()
  simulator.keys.issue({ value: first[1] as string })
  simulator.keys.revoke('phx_old')
  expect(new Set(issueFive(simulator)).size).toBe(5)
  expect(new Set(simulator.keys.list().map(({ value }) => value)).size).toBe(15)
})

test('a revoked value is not issued again before a reset', () => {
  const simulator = createSimulator()
  const [first = ''] = issueFive(simulator)

  simulator.keys.revoke(first)
  expect(issueFive(simulator)).not.toContain(first)
})

test('list returns copies, and issue copies its argument', async () => {
  const simulator = createSimulator()
  const scopes: Scope[] = ['annotation:read']
  const key = simulator.keys.issue({ scopes })

  scopes.push('*')
  for (const listed of simulator.keys.list()) Object.assign(listed, { scopes: ['*'], user: 99 })
  const response = await simulator.fetch('/api/projects/1/annotations/', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })

  expect(response.status).toBe(403)
  expect(simulator.keys.list().at(-1)).toMatchObject({ user: 1, scopes: ['annotation:read'] })
})
