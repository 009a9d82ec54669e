import { expect, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { type SettingId, settingIds } from '../../src/settings/setting.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import {
  type ClientTrace,
  followExchanges,
  type Swept,
  settingVariants,
  sweepClient,
  type TracedExchange,
  toTrace,
  type Variant,
} from '../../src/sweep/sweep.ts'
import { findDependences, toFinding } from '../../src/sweep/sweep-command.ts'
import { annotationsPath as list } from '../support/api/paths.ts'

const settings = resolveSettings('documented')
const variants = settingVariants(settingIds, settings)
const [first] = variants
const exchange = {
  world: '1',
  request: 'GET /',
  status: 200,
  headers: {},
  test: null,
  consulted: {},
  body: '{"count":2,"results":[1,2]}',
}

/** What a client does against a service, by its id. Undefined without a change */
interface Client {
  readonly fails?: (id: string | undefined, nth: number) => boolean
  readonly sees?: (id: string | undefined, nth: number) => ClientTrace['exchanges']
  readonly ms?: (nth: number) => number
  readonly signal?: AbortSignal
}

/** Sweeps a client against some services. @returns also the blamed settings, and all runs */
async function sweep(count: number, { fails, sees, ms = () => 1, signal }: Client) {
  const runs: (string | undefined)[] = []
  const limits: (number | null)[] = []
  const swept = await sweepClient(
    {
      ...(signal && { signal }),
      run: async (variant, limit) => {
        const id = variant?.id
        const nth = runs.push(id)
        limits.push(limit)
        const failure = fails?.(id, nth) ? 'the command fails' : null
        return { exchanges: sees?.(id, nth) ?? [exchange], consulted: [], failure, ms: ms(nth) }
      },
    },
    () => variants.slice(0, count),
  )
  const blamed = findDependences(swept.outcomes, settings).map(({ on }) => on)
  return { ...swept, blamed, runs, limits }
}

const outcomesOf = ({ outcomes }: Swept) => outcomes.map(({ outcome }) => outcome)

test('a failure counts if it repeats, and if the command passes without a change before and after', async () => {
  const { baseline, blamed, runs } = await sweep(3, { fails: (id) => id === first?.id })

  expect([baseline.verdict, blamed]).toEqual(['steady', [first?.id.split('=')[0]]])
  expect(runs.filter((id) => id === first?.id)).toHaveLength(2)
  expect(runs.filter((id) => id === undefined)).toHaveLength(3)
})

test('a tolerant command runs twice, and once with each service', async () => {
  const { baseline, blamed, runs } = await sweep(40, {})

  expect([baseline.verdict, blamed, runs.length]).toEqual(['steady', [], 42])
})

test.each<[what: string, fails: Client['fails']]>([
  ['that fails from some time on', (_id, nth) => nth > 10],
  ['whose failures seldom repeat', (id, nth) => id !== undefined && nth % 2 === 1],
])('a command %s is flaky', async (_, fails = () => false) => {
  expect((await sweep(15, { fails })).baseline.verdict).toBe('flaky')
})

test('a failure that does not repeat is that of one run', async () => {
  const { baseline, outcomes, runs } = await sweep(3, { fails: (_id, nth) => nth === 4 })

  expect([baseline.verdict, runs.length]).toEqual(['steady', 7])
  expect(outcomes.filter(({ outcome }) => outcome === 'flaky')).toHaveLength(1)
})

test('two failures that do not repeat, beside three that do, are no reason to doubt these', async () => {
  const always = variants.slice(0, 3).map(({ id }) => id)
  const once = new Set(variants.slice(3, 5).map(({ id }) => id))

  const { baseline } = await sweep(6, {
    fails: (id = '') => always.includes(id) || once.delete(id),
  })

  expect(baseline.verdict).toBe('steady')
})

test.each([
  [5_000, 50_000],
  [1, 30_000],
])(
  'runs may take ten times as long as the slowest, of %i ms, and at least 30 s',
  async (slowest, limit) => {
    const { limits } = await sweep(1, {
      fails: (id) => id !== undefined,
      ms: (nth) => (nth === 1 ? slowest : 1),
    })

    expect(limits).toEqual([null, null, limit, limit, limit])
  },
)

test('several runs happen at once, and the outcomes are in the order of the services', async () => {
  let [running, most] = [0, 0]
  const ended: string[] = []
  const three = variants.slice(0, 3)
  const { outcomes, baseline } = await sweepClient(
    {
      jobs: 2,
      run: async (variant) => {
        running += 1
        most = Math.max(most, running)
        const consulted: SettingId[] = variant
          ? []
          : [(['bodies.form', 'keys.places'] as const)[running - 1] as SettingId]
        for (let turn = 0; turn < (variant === first ? 20 : 2); turn += 1) await null
        running -= 1
        return { exchanges: [exchange], consulted, failure: null, ms: 1 }
      },
      onOutcome: ({ variant }) => ended.push(variant.id),
    },
    () => three,
  )

  const ids = three.map(({ id }) => id)
  expect([most, outcomes.map(({ variant }) => variant.id)]).toEqual([2, ids])
  expect(ended).toEqual([ids[1], ids[2], ids[0]])
  expect(baseline.trace.consulted).toEqual(['bodies.form', 'keys.places'])
})

test('no run follows one that throws', async () => {
  const runs: unknown[] = []
  const run = (nth: number) => {
    runs.push(nth)
    if (nth === 3) throw new Error('No such command.')
    return false
  }

  await expect(sweep(5, { fails: (_id, nth) => run(nth) })).rejects.toThrow('No such command.')
  expect(runs).toHaveLength(3)
})

test.each<[verdict: string, client: Client]>([
  ['failing', { fails: () => true }],
  ['flaky', { fails: (_id, nth) => nth === 2 }],
  ['no_requests', { sees: () => [] }],
  ['steady', { sees: (_id, nth) => (nth === 1 ? [] : [exchange]) }],
])('a client without a change is %s', async (verdict, client) => {
  expect((await sweep(0, client)).baseline.verdict).toBe(verdict)
})

test.each([
  [2, 'interrupted', []],
  [4, 'steady', []],
  [6, 'steady', ['failed', 'not_tested']],
])('after an interruption in run %i, a client is %s, with the outcomes %j', async (...row) => {
  const [last, verdict, outcomes] = row
  const controller = new AbortController()
  const fails = (id: string | undefined, nth: number): boolean => {
    if (nth === last) controller.abort()
    return id === first?.id
  }

  const swept = await sweep(5, { fails, signal: controller.signal })

  expect([swept.baseline.verdict, outcomesOf(swept)]).toEqual([verdict, outcomes])
})

test('the first response that differs is named, and a value without one is not tested', async () => {
  const [hidden, moved, shorter] = variants.map(({ id }) => id)
  const other = (id: string | undefined) => {
    if (id === hidden) return [exchange, { ...exchange, request: 'GET /1/', status: 404 }]
    if (id === moved) return [{ ...exchange, headers: { location: '/x/' } }]
    return id === shorter ? [{ ...exchange, body: '{"count":2,"results":[1]}' }] : [exchange]
  }
  const row = { ...exchange, request: 'GET /1/' }

  const swept = await sweep(4, { sees: (id) => (id === undefined ? [exchange, row] : other(id)) })

  expect(swept.outcomes.map(({ difference }) => difference)).toEqual([
    'GET /1/ → 404 instead of 200',
    'GET / → headers.location is "/x/" instead of nothing',
    'GET / → body.results is 1 item instead of 2 items',
    null,
  ])
  expect(outcomesOf(swept)).toEqual(['passed', 'passed', 'passed', 'not_tested'])
})

test.each([
  ['project:read', 'source'],
  ['any_key', 'contradicted'],
])('a client that %s alone suits depends on something %s', (value, kind) => {
  const id = 'projects.list.scope'
  const values = resolveSettings('documented', { [id]: value })
  const outcomes = settingVariants([id], values).map((variant) => ({
    ...{ variant, outcome: 'failed', failure: 'the command fails', difference: null },
  }))

  const [dependence] = findDependences(outcomes as never, values)

  expect(dependence?.kind).toBe(kind)
  expect(dependence?.sentence.includes('an assumption, but a version of')).toBe(value === 'any_key')
})

const npmTest = { command: 'npm test', flags: [] }

test('a dependence has its evidence and the command that shows it again, with the value of the best evidence', () => {
  const values = resolveSettings('documented', { 'annotations.delete.status': '404' })
  const outcomes = settingVariants(['annotations.delete.status', 'bodies.form'], values).map(
    (variant) => ({
      ...{ variant, failure: 'the command fails', ms: 1, difference: 'GET / → 404' },
      outcome: variant.id.startsWith('annotations') ? ('failed' as const) : ('flaky' as const),
    }),
  )

  const [dependence, ...others] = findDependences(outcomes, values)
  const { details, command, cure } = toFinding(dependence as NonNullable<typeof dependence>, {
    command: 'npm test',
    flags: ['--profile live'],
  })

  expect(others).toEqual([])
  expect(dependence?.sentence).toContain(': the command fails with `')
  expect(details?.[1]).toBe('first response of the run that differs: GET / → 404')
  expect(command).toBe(
    'npx understudy-api exec --profile live --set annotations.delete.status=405_empty -- npm test',
  )
  expect(cure).toContain('Let the client also work with')
})

test('the services to try are in the order of the settings', () => {
  const ids = settingVariants(settingIds.toReversed(), settings).map(({ id }) => id)

  expect(ids).toEqual(variants.map(({ id }) => id))
})

test('a response is compared with the one at the same place, not with another one to an equal request', async () => {
  const removed = { ...exchange, request: 'DELETE /1/', status: 204, body: '' }
  const missing = { ...removed, status: 404 }

  const swept = await sweep(1, {
    sees: (id) => (id === undefined ? [removed, missing] : [missing, missing]),
  })

  expect(swept.outcomes).toMatchObject([
    { outcome: 'passed', difference: 'DELETE /1/ → 404 instead of 204' },
  ])
})

test.each<[id: SettingId, value: string, cure: string]>([
  [
    'lists.limit.invalid',
    'refused',
    'Let the client send whole numbers, and a limit of at least 1.',
  ],
  ['plugins.delete.global', 'refused', 'Let the client make a plugin local before it deletes it.'],
  ['bodies.form', 'refused', 'Let the client send bodies as JSON.'],
  ['annotations.list.limit.default', '2', 'Let the client follow `next` until it is null.'],
  [
    'plugins.other.scope',
    'refused',
    'Let the client work without these operations: a key with scopes may be refused.',
  ],
  ['plugins.other.scope', 'plugin_scopes', 'Give the key the scopes plugin:read and plugin:write.'],
  [
    'annotations.delete.status',
    '404',
    'Let the client also work with `404`, or set this setting: then it stays as it is.',
  ],
])('the cure of %s = %s is about the setting', async (on, value, cure) => {
  const [variant] = settingVariants([on], { ...settings, [on]: 'another' }).filter(
    ({ id }) => id === `${on}=${value}`,
  )
  const outcome = {
    outcome: 'failed',
    failure: 'the command fails',
    ms: 1,
    difference: null,
  } as const

  const [dependence] = findDependences([{ variant: variant as Variant, ...outcome }], settings)

  expect(toFinding(dependence as NonNullable<typeof dependence>, npmTest).cure).toBe(cure)
})

test('requests to a sandbox that is created later are followed, too', async () => {
  const simulator = createSimulator()
  const exchanges: TracedExchange[] = []
  followExchanges(simulator, '', (exchange) => exchanges.push(exchange))
  const { key } = simulator.sandboxes.create()

  await simulator.fetch(`${list}?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const { consulted } = toTrace(exchanges)

  expect(consulted).toEqual(consulted.toSorted())
  expect(exchanges).toMatchObject([{ request: `GET ${list}?limit=1`, status: 200 }])
  expect(exchanges[0]?.body).toMatch(/"next":"origin\/api\/.*"created_at":"time"/)
})

test('of a command whose responses differ by themselves, no difference is named', async () => {
  const one = await sweep(1, { sees: (_id, nth) => [{ ...exchange, body: `${nth}` }] })
  const two = await sweep(1, {
    sees: (_id, nth) => (nth === 2 ? [exchange, exchange] : [exchange]),
  })

  for (const { outcomes } of [one, two])
    expect.soft(outcomes).toMatchObject([{ outcome: 'passed', difference: null }])
})

test('the same requests of simulators side by side are no difference, whichever comes first', async () => {
  const [one, other] = ['1', '2'].map((world) => ({ ...exchange, world, body: world }))
  const { outcomes } = await sweep(2, {
    sees: (_id, nth) => [one, other].toSorted(() => (nth % 2 === 0 ? 1 : -1)) as [],
  })

  expect(outcomesOf({ outcomes } as Swept)).toEqual(['not_tested', 'not_tested'])
})
