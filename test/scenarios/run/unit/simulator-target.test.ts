import { expect, test } from 'vitest'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import type { Change } from '../../../../src/scenarios/format/scenario.ts'
import {
  createLocalTarget,
  createSimulatorTarget,
  type ReplayableSimulator,
} from '../../../../src/scenarios/run/simulator-target.ts'
import { createSimulator } from '../../../../src/simulator.ts'

/** A simulator of which each part tells that it was called. */
async function createTarget() {
  const calls: unknown[] = []
  const listing: Readonly<Record<string, unknown>> = {
    'keys.list': [
      { label: 'all', value: 'phx_1' },
      { label: 'none', value: 'phx_2' },
    ],
    'policies.list': [
      { id: 'methods.put', setting: 'on' },
      { id: 'limits.body', setting: 5 },
    ],
    'journal.find': [{ id: 3 }],
    'clock.read': { mode: 'frozen' },
    'faults.remove': true,
    'actors.remove': true,
    addRows: { annotations: [9] },
  }
  const tell =
    (name: string) =>
    async (...parameters: unknown[]) => {
      if (name !== 'keys.list') calls.push([name, ...parameters])
      return listing[name]
    }
  const parts = ['clock', 'faults', 'actors', 'policies', 'snapshots', 'keys', 'journal']
  const simulator = Object.fromEntries([
    ...['addRows', 'reset', 'replaceWorld'].map((name) => [name, tell(name)]),
    ...parts.map((part) => [
      part,
      new Proxy({}, { get: (_, name) => tell(`${part}.${String(name)}`) }),
    ]),
  ]) as unknown as ReplayableSimulator
  const target = await createSimulatorTarget(simulator, {
    baseUrl: 'http://localhost',
    world: async () => ['{}'],
    editor: {
      update: tell('update'),
      delete: async (list, id) => {
        calls.push(['delete', list, id])
        return id !== 404
      },
    },
    end: tell('end'),
  })
  return { target, calls }
}

const world = { projects: [] } as never
const fault = { operation: 'listAnnotations', effect: { drop: true } } as const
const actor = { after: { method: 'GET' }, steps: [] } as never

test.each<[Change, calls: unknown[]]>([
  [{ rows: { annotations: [{}] } }, [['addRows', { annotations: [{}] }]]],
  [
    { update: { annotations: [{ id: 1, content: 'a' }, { id: 2 }], users: [{ id: 3 }] } as never },
    [
      ['update', 'annotations', 1, { content: 'a' }],
      ['update', 'annotations', 2, {}],
      ['update', 'users', 3, {}],
    ],
  ],
  [
    { delete: { annotations: [1, 2], organizations: ['a'] } as never },
    [
      ['delete', 'annotations', 1],
      ['delete', 'annotations', 2],
      ['delete', 'organizations', 'a'],
    ],
  ],
  [{ world }, [['replaceWorld', world]]],
  [{ clock: 'real' }, [['clock.set', 'real']]],
  [{ advance: { days: 1 } }, [['clock.advance', { days: 1 }]]],
  [{ fault }, [['faults.add', fault]]],
  [{ actor }, [['actors.add', actor]]],
  [{ remove: 'fault-1' }, [['faults.remove', 'fault-1']]],
  [{ remove: 'actor-1' }, [['actors.remove', 'actor-1']]],
  [{ clear: 'faults' }, [['faults.clear']]],
  [{ clear: 'actors' }, [['actors.clear']]],
  [{ revoke: 'none' }, [['keys.revoke', 'phx_2']]],
  [{ profile: 'live' }, [['policies.set', resolvePolicies('live')]]],
  [{ policies: { 'methods.put': 'on' } }, [['policies.set', { 'methods.put': 'on' }]]],
  [{ snapshot: 'a' }, [['snapshots.save', 'a']]],
  [{ restore: 'a' }, [['snapshots.restore', 'a']]],
  [{ reset: true }, [['reset', { only: ['rows'] }]]],
  [{ reset: ['clock', 'faults'] }, [['reset', { only: ['clock', 'faults'] }]]],
])('the change %j is made once', async (change, expected) => {
  const { target, calls } = await createTarget()

  const ids = await target.change(change)

  expect([calls, ids]).toEqual([expected, 'rows' in change ? { annotations: [9] } : {}])
})

test('a row that does not exist ends a removal', async () => {
  const { target, calls } = await createTarget()

  await expect(target.change({ delete: { annotations: [1, 404, 2] } })).rejects.toThrow(
    'Failed to delete a row of annotations: expected an existing id, got 404.',
  )
  expect(calls).toEqual([
    ['delete', 'annotations', 1],
    ['delete', 'annotations', 404],
  ])
})

test('a target shows the keys, the latest request, the settings, the rows and the clock', async () => {
  const { target, calls } = await createTarget()

  expect([target.baseUrl, target.labels()]).toEqual(['http://localhost', ['all', 'none']])
  expect(['all', 'none', 'other'].map(target.key)).toEqual(['phx_1', 'phx_2', undefined])
  expect([await target.latest(), await target.settings()]).toEqual([
    { id: 3 },
    { 'methods.put': 'on', 'limits.body': 5 },
  ])
  expect([await target.world(), await target.clock()]).toEqual([['{}'], { mode: 'frozen' }])
  expect(await target.close()).toBe(undefined)
  expect(calls).toEqual([
    ['journal.find', { limit: 1 }],
    ['policies.list'],
    ['clock.read'],
    ['end'],
  ])
})

test('the target of a simulator of this process reads and changes it', async () => {
  const simulator = createSimulator({ world: 'empty', clock: '2024-06-15T12:00:00Z' })
  const target = await createLocalTarget(simulator, 'http://localhost')
  const url = 'http://localhost/api/projects/1/annotations/'
  const send = () => {
    const headers = { authorization: `Bearer ${target.key('new')}` }
    return target.send({ method: 'GET', url, headers })
  }

  const added = await target.change({
    rows: {
      annotations: [{ content: 'a' }, { content: 'b' }],
      keys: [{ label: 'new', scopes: ['*'] }],
    },
  })
  const [first, second] = added.annotations as number[]
  await target.change({ update: { annotations: [{ id: first as number, content: 'c' }] } })
  await target.change({ delete: { annotations: [second as number] } })
  const response = await send()

  expect(response.status).toBe(200)
  expect(JSON.parse(response.text)).toMatchObject({
    count: 1,
    results: [{ id: first, content: 'c' }],
  })
  expect(target.labels()).toContain('new')
  expect(await target.latest()).toMatchObject({ operation: 'listAnnotations' })
  expect(JSON.parse([...((await target.world()) as Iterable<string>)].join(''))).toMatchObject({
    annotations: [{ id: first, content: 'c' }],
  })
  expect(await target.settings()).toMatchObject({ 'methods.put': 'off' })
  expect(await target.clock()).toEqual(simulator.clock.read())
  expect(await target.close()).toBe(undefined)
})

test.each([
  [
    { remove: 'fault-9' },
    'Failed to remove: expected the id of a fault or an actor, got "fault-9".',
  ],
  [
    { remove: 'actor-9' },
    'Failed to remove: expected the id of a fault or an actor, got "actor-9".',
  ],
  [{ revoke: 'gone' }, 'Failed to revoke a key: expected the label of a key, got "gone".'],
])('the change %j is refused without what it removes', async (change, message) => {
  const target = await createLocalTarget(createSimulator(), 'http://localhost')

  await expect(target.change(change)).rejects.toThrow(message)
})
