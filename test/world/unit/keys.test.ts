import { expect, test } from 'vitest'
import { endpoints } from '../../../src/api/endpoints.ts'
import { resolveByPolicy } from '../../../src/policies/by-policy.ts'
import { profiles, resolvePolicies } from '../../../src/policies/settings.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { scopeObjects } from '../../../src/world/world-format.ts'

const issueSome = ({ keys }: Simulator) => Array.from({ length: 5 }, () => keys.issue())

test('a key looks like one of the service, and may do everything unless told otherwise', () => {
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

test('a key is what it is told to be', () => {
  const { keys } = createSimulator()
  const told = {
    value: 'mine',
    label: 'Reads in project 2',
    user: 2,
    scopes: ['annotation:read'],
    projects: [2],
    organizations: ['018f2b6e-0000-7000-8000-00000000000a'],
  }

  expect(keys.issue(told)).toBe('mine')
  expect(keys.list().at(-1)).toEqual(told)
  expect(keys.issue({ scopes: null, value: 'old' })).toBe('old')
  expect(keys.list().at(-1)?.scopes).toBeNull()
})

test('a scope whose object is misspelt is refused; those of other objects are for other APIs', () => {
  const { keys } = createSimulator()

  expect(() => keys.issue({ scopes: ['annotations:read'] })).toThrow(
    'Failed to issue a key. Nothing was changed.\n  scopes[0]: expected an object that the service has scopes of, got "annotations:read". Did you mean annotation:read?',
  )
  expect(() => keys.issue({ scopes: ['anotation:write'] })).toThrow(
    'Did you mean annotation:write?',
  )
  keys.issue({ scopes: ['feature_flag:read', 'project:read', '*'] })
  expect(keys.list().at(-1)?.scopes).toEqual(['feature_flag:read', 'project:read', '*'])
})

test('the objects of scopes are those that operations ask for', () => {
  const rules = endpoints.flatMap(({ scope }) =>
    profiles.map((profile) => resolveByPolicy(scope, resolvePolicies(profile))),
  )
  const objects = rules.flatMap((rule) => /^(\w+):/.exec(rule)?.[1] ?? [])

  expect([...new Set(objects)].sort()).toEqual([...scopeObjects])
})

test('keys follow from the seed, each another one', () => {
  const [first, same] = [
    issueSome(createSimulator({ seed: 7 })),
    issueSome(createSimulator({ seed: 7 })),
  ]
  const other = issueSome(createSimulator({ seed: 8 }))
  const ofWorld = issueSome(
    createSimulator({ world: { ...createSimulator().world.toJSON(), seed: 7 } }),
  )

  expect(same).toEqual(first)
  expect(ofWorld).toEqual(first)
  expect(new Set([...first, ...other]).size).toBe(10)
})

test('a reset issues the same keys again; a key that is there is not issued twice', () => {
  const simulator = createSimulator({ seed: 7 })
  const first = issueSome(simulator)

  simulator.reset()
  expect(issueSome(simulator)).toEqual(first)

  simulator.reset()
  simulator.keys.issue({ value: first[1] as string })
  simulator.keys.revoke('phx_old')
  expect(new Set(issueSome(simulator)).size).toBe(5)
  expect(new Set(simulator.keys.list().map(({ value }) => value)).size).toBe(15)
})

test('a value that was revoked is not issued again, also after the rows have gone back', () => {
  const issued = () => {
    const simulator = createSimulator({ seed: 7 })
    const snapshot = simulator.snapshot()
    const [first = ''] = issueSome(simulator)
    simulator.keys.revoke(first)
    simulator.restore(snapshot)
    const restored = issueSome(simulator)
    simulator.keys.revoke(restored[4] as string)
    simulator.reset()
    const reset = issueSome(simulator)
    return [first, ...restored, ...reset]
  }

  const values = issued()

  expect(new Set(values).size).toBe(11)
  expect(issued()).toEqual(values)
})

test('what list gives is a copy, and what issue takes is copied', async () => {
  const simulator = createSimulator()
  const scopes = ['annotation:read']
  const key = simulator.keys.issue({ scopes })

  scopes.push('*')
  for (const listed of simulator.keys.list()) Object.assign(listed, { scopes: ['*'], user: 99 })
  const answer = await simulator.fetch('/api/projects/1/annotations/', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })

  expect(answer.status).toBe(403)
  expect(simulator.keys.list().at(-1)).toMatchObject({ user: 1, scopes: ['annotation:read'] })
})

test('the values of revoked keys are not issued again by who goes on with a world that was kept', () => {
  const first = createSimulator()
  const revoked = first.keys.issue({ label: 'lost' })
  first.keys.revoke(revoked)
  const kept = JSON.parse([...first.world.toTexts()].join(''))

  const second = createSimulator()
  second.resume(kept)
  const loaded = createSimulator({ world: kept })
  const issued = [second, loaded].map(({ keys }) => keys.issue())

  expect(kept.issued_keys).toBe(11)
  expect(new Set([...issued, revoked]).size).toBe(2)
  expect(second.world.toJSON().issued_keys).toBe(11)
  second.reset()
  expect(second.keys.issue()).not.toBe(revoked)
  expect(createSimulator().world.toJSON()).not.toHaveProperty('issued_keys')
})
