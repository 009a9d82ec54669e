import fc from 'fast-check'
import type { Driver } from './driver.ts'
import { type Fault, pathPatterns } from './faults.ts'
import { worldAt } from './intents.ts'
import { type Model, main, type ResetPart } from './model.ts'
import { differenceOfStates } from './show.ts'
import { type Command, Step } from './step.ts'
import { beta } from './world.ts'

const world = fc.nat({ max: 5 })

/** A control call with the same name in model and driver. */
function control<Values extends readonly unknown[]>(
  name: 'setClock' | 'advanceClock' | 'reset' | 'clearFaults' | 'addFault',
  ...values: { readonly [Index in keyof Values]: fc.Arbitrary<Values[Index]> }
): fc.Arbitrary<Command> {
  return fc.tuple(world, ...(values as unknown as fc.Arbitrary<unknown>[])).map(
    ([number, ...rest]) =>
      new Step(`${name}(${JSON.stringify([number, ...rest]).slice(1, -1)})`, (model, driver) => {
        const at = worldAt(model, number)
        const call = (target: Model | Driver) =>
          (target[name] as (...all: unknown[]) => void)(at, ...rest)
        call(driver)
        call(model)
      }),
  )
}

const operations = [
  'listAnnotations',
  'createAnnotation',
  'retrieveAnnotation',
  'updateAnnotation',
  'deleteAnnotation',
  'listPlugins',
  'updatePlugin',
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
    when: { ...withoutUndefined(when), times },
    phase,
    effect,
  }))

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}

const resetParts: ResetPart[] = ['rows', 'settings', 'clock', 'faults']

const snapshotName = fc.constantFrom('one', 'two')

const saveCommand = fc.tuple(world, snapshotName).map(
  ([number, name]) =>
    new Step(`save(${number}, ${name})`, (model, driver) => {
      driver.save(worldAt(model, number), name)
      model.save(worldAt(model, number), name)
    }),
)

const restoreCommand = fc.tuple(world, snapshotName).map(
  ([number, name]) =>
    new Step(
      `restore(${number}, ${name})`,
      (model, driver) => {
        driver.restore(worldAt(model, number), name)
        model.restore(worldAt(model, number), name)
      },
      (model) => model.snapshots(worldAt(model, number)).includes(name),
    ),
)

const issueCommand = fc
  .record({
    number: world,
    scopes: fc.constantFrom(
      ['*'],
      ['annotation:read', 'annotation:write'],
      ['plugin:read'],
      [],
      null,
    ),
    user: fc.constantFrom(1, 2, 4),
    projects: fc.constantFrom([], [], [1], [2, 3]),
    organizations: fc.constantFrom([], [], [], [beta]),
  })
  .map(
    ({ number, ...rest }) =>
      new Step(`issueKey(${number}, ${JSON.stringify(rest)})`, (model, driver) => {
        const value = `phx_issued_${model.steps}`
        const key = { value, label: value, ...rest }
        driver.issueKey(worldAt(model, number), key)
        model.issueKey(worldAt(model, number), key)
      }),
  )

const revokeCommand = fc.tuple(world, fc.nat({ max: 24 })).map(
  ([number, index]) =>
    new Step(
      `revokeKey(${number}, ${index})`,
      (model, driver) => {
        const at = worldAt(model, number)
        const { keys } = model.rows(at)
        const value = keys[index % keys.length]?.value as string
        driver.revokeKey(at, value)
        model.revokeKey(at, value)
      },
      (model) => model.rows(worldAt(model, number)).keys.length > 3,
    ),
)

const createSandboxCommand = fc
  .tuple(
    fc.option(snapshotName), // The time of the machine ends no sandbox of a run.
    fc.constantFrom(null, null, 900, 900, 3600),
  )
  .map(
    ([from, seconds]) =>
      new Step(
        `createSandbox(${from}, ${seconds})`,
        (model, driver) => {
          const keys = model.keysOf(from).map(({ label, value }) => ({
            label,
            value: `phx_at_${model.steps}_${value.slice(-30)}`,
          }))
          model.createSandbox(driver.createSandbox(from, keys, seconds), from, keys, seconds)
        },
        (model) =>
          model.worlds.length < 4 && (from === null || model.snapshots(main).includes(from)),
      ),
  )

const deleteSandboxCommand = fc.nat({ max: 5 }).map(
  (number) =>
    new Step(
      `deleteSandbox(${number})`,
      (model, driver) => {
        const [, ...sandboxes] = model.worlds
        const id = sandboxes[number % sandboxes.length] as string
        driver.deleteSandbox(id)
        model.deleteSandbox(id)
      },
      (model) => model.worlds.length > 1,
    ),
)

const restartCommand = fc.constant(
  new Step('restart()', async (model, driver) => {
    await driver.restart()
    model.restart()
    compare(main, model, driver)
  }),
)

/** Compares the clock and every row that a client can change, also those that no response shows. */
const compareCommand = world.map(
  (number) =>
    new Step(`compare(${number})`, (model, driver) => {
      compare(worldAt(model, number), model, driver)
    }),
)

function compare(at: string, model: Model, driver: Driver): void {
  const difference = differenceOfStates(model.state(at), driver.state(at), at)
  if (difference) throw new Error(difference)
}

export const repeat = <T>(times: number, item: T): T[] => new Array<T>(times).fill(item)

/** What is no request, each as often as it shall be chosen. */
export const controlCommands: fc.Arbitrary<Command>[] = [
  ...repeat(3, compareCommand),
  ...repeat(4, control('advanceClock', fc.constantFrom(1, 1000, 3_600_000, -60_000))),
  control('setClock', fc.constantFrom('2024-06-01T00:00:00Z', '2025-01-01T12:00:00.250Z')),
  ...repeat(2, control('addFault', fault)),
  ...repeat(2, control('clearFaults')),
  saveCommand,
  restoreCommand,
  ...repeat(2, control('reset', fc.option(fc.subarray(resetParts)))),
  issueCommand,
  revokeCommand,
  ...repeat(3, createSandboxCommand),
  deleteSandboxCommand,
  ...repeat(2, restartCommand),
]
