import fc from 'fast-check'
import type { Driver } from './driver.ts'
import { type Fault, pathPatterns } from './faults.ts'
import { worldAt } from './intents.ts'
import { type Model, main, type ResetPart } from './model.ts'
import { differenceOfStates } from './show.ts'
import { type Command, step } from './step.ts'
import { beta } from './world.ts'

const world = fc.nat({ max: 5 })

export const repeat = <T>(times: number, item: T): T[] => new Array<T>(times).fill(item)

/** An admin call in a world: the same to the simulator and to the model. @param weight how often it shall be chosen */
const admin = <Value>(
  weight: number,
  name: string,
  value: fc.Arbitrary<Value>,
  run: (at: string, value: Value, model: Model, driver: Driver) => void,
  check: (at: string, value: Value, model: Model) => boolean = () => true,
): fc.Arbitrary<Command>[] =>
  repeat(
    weight,
    fc.tuple(world, value).map(([number, chosen]) =>
      step(
        `${name}(${number}, ${JSON.stringify(chosen)})`,
        (model, driver) => run(worldAt(model, number), chosen, model, driver),
        (model) => check(worldAt(model, number), chosen, model),
      ),
    ),
  )

const operations = [
  ...['listAnnotations', 'createAnnotation', 'retrieveAnnotation', 'updateAnnotation'],
  ...['deleteAnnotation', 'listPlugins', 'updatePlugin'],
]

const fault: fc.Arbitrary<Fault> = fc
  .record({
    match: fc.oneof(
      fc.constantFrom(...operations).map((operation) => ({ operation })),
      fc.constantFrom('GET', 'PATCH', 'POST').map((method) => ({ method })),
      fc.constantFrom(...Object.keys(pathPatterns)).map((path) => ({ path })),
      fc.constantFrom('all', 'annotations', 'plugins').map((key) => ({ key })),
      fc.constant({}),
    ),
    when: fc.record(
      { skip: fc.nat({ max: 2 }), every: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: [] },
    ),
    times: fc.integer({ min: 1, max: 3 }),
    phase: fc.constantFrom('before' as const, 'after-commit' as const),
    effect: fc.constantFrom<Fault['effect']>(
      { error: 'throttled' },
      { error: 'server_error' },
      { status: 503, body: { told: 'busy' } },
      { drop: true },
    ),
  })
  .map(({ match, when, times, phase, effect }) => ({
    ...match,
    when: { ...when, times },
    phase,
    effect,
  }))

const newKey = fc.record({
  scopes: fc.constantFrom(
    ...[['*'], ['annotation:read', 'annotation:write'], ['plugin:read'], [], null],
  ),
  user: fc.constantFrom(1, 2, 4),
  projects: fc.constantFrom([], [], [1], [2, 3]),
  organizations: fc.constantFrom([], [], [], [beta]),
})

const createSandboxCommand = fc
  // The time of the machine ends no sandbox of a run.
  .constantFrom(null, null, 900, 900, 3600)
  .map((seconds) =>
    step(
      `createSandbox(${seconds})`,
      (model, driver) => {
        const keys = model.startKeys.map(({ label, value }) => ({
          label,
          value: `phx_at_${model.steps}_${value.slice(-30)}`,
        }))
        const ttl = seconds !== null && { ttl_s: seconds }
        const { id } = driver.simulator(main).sandboxes.create({ ...ttl, keys })
        model.createSandbox(id, keys, seconds)
      },
      (model) => model.worlds.length < 4,
    ),
  )

const deleteSandboxCommand = world.map((number) =>
  step(
    `deleteSandbox(${number})`,
    (model, driver) => {
      const [, ...sandboxes] = model.worlds
      const id = sandboxes[number % sandboxes.length] as string
      driver.simulator(main).sandboxes.delete(id)
      model.deleteSandbox(id)
    },
    (model) => model.worlds.length > 1,
  ),
)

const restartCommand = fc.constant(
  step('restart()', async (model, driver) => {
    await driver.restart()
    model.restart()
    compare(main, model, driver)
  }),
)

function compare(at: string, model: Model, driver: Driver): void {
  const difference = differenceOfStates(model.state(at), driver.state(at), at)
  if (difference) throw new Error(difference)
}

const nothing = fc.constant(null)
const parts = fc.option(fc.subarray<ResetPart>(['rows', 'settings', 'clock', 'faults']))

/** What is no request, some often. */
export const adminCommands: fc.Arbitrary<Command>[] = [
  // The clock and every row that a client can change, also those that no response shows.
  ...admin(3, 'compare', nothing, (at, _, model, driver) => compare(at, model, driver)),
  ...admin(
    4,
    'advanceClock',
    fc.constantFrom(1, 1000, 3_600_000, -60_000),
    (at, milliseconds, model, driver) => {
      driver.simulator(at).clock.advance({ milliseconds })
      model.advanceClock(at, milliseconds)
    },
  ),
  ...admin(
    1,
    'setClock',
    fc.constantFrom('2024-06-01T00:00:00Z', '2025-01-01T12:00:00.250Z'),
    (at, time, model, driver) => {
      driver.simulator(at).clock.set(time)
      model.setClock(at, time)
    },
  ),
  ...admin(2, 'addFault', fault, (at, rule, model, driver) => {
    driver.simulator(at).faults.add(rule as never)
    model.addFault(at, rule)
  }),
  ...admin(2, 'clearFaults', nothing, (at, _, model, driver) => {
    driver.simulator(at).faults.clear()
    model.reset(at, ['faults'])
  }),
  ...admin(1, 'save', nothing, (at, _, model, driver) => {
    driver.save(at)
    model.save(at)
  }),
  ...admin(
    1,
    'restore',
    nothing,
    (at, _, model, driver) => {
      driver.restore(at)
      model.restore(at)
    },
    (at, _, model) => model.hasSaved(at),
  ),
  ...admin(2, 'reset', parts, (at, only, model, driver) => {
    driver.simulator(at).reset(only === null ? {} : { only })
    model.reset(at, only)
  }),
  ...admin(1, 'issueKey', newKey, (at, fields, model, driver) => {
    const value = `phx_issued_${model.steps}`
    const key = { value, label: value, ...fields }
    driver.simulator(at).keys.issue(key as never)
    model.issueKey(at, key)
  }),
  ...admin(
    1,
    'revokeKey',
    fc.nat({ max: 24 }),
    (at, index, model, driver) => {
      const { keys } = model.rows(at)
      const value = keys[index % keys.length]?.value as string
      driver.simulator(at).keys.revoke(value)
      model.revokeKey(at, value)
    },
    (at, _, model) => model.rows(at).keys.length > 3,
  ),
  ...repeat(3, createSandboxCommand),
  deleteSandboxCommand,
  ...repeat(2, restartCommand),
]
