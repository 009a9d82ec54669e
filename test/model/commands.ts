import fc from 'fast-check'
import type { Driver } from './driver.ts'
import { anyIntent, type Intent, toRequest, worldAt } from './intents.ts'
import { type Model, main, type ResetPart } from './model.ts'
import type { Profile } from './rules/call.ts'
import { differenceOf, differenceOfStates, showBody, showRequest } from './show.ts'
import { beta } from './world.ts'

/** What both the model and the simulator do. */
export type Command = fc.AsyncCommand<Model, Driver>

/** A command, which counts as one step. @param check whether the model is in a state for it */
const step = (
  title: string,
  run: (model: Model, driver: Driver) => Promise<void> | void,
  check: (model: Model) => boolean = () => true,
): Command => ({
  check: (model) => check(model as Model),
  async run(model, driver) {
    model.steps += 1
    await run(model, driver)
  },
  toString: () => title,
})

const world = fc.nat({ max: 5 })

const repeat = <T>(times: number, item: T): T[] => new Array<T>(times).fill(item)

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

const newKey = fc.record({
  scopes: fc.constantFrom(
    ...[['*'], ['annotation:read', 'annotation:write'], ['plugin:read'], [], null],
  ),
  user: fc.constantFrom(1, 2, 4),
  projects: fc.constantFrom([], [], [1], [2, 3]),
  organizations: fc.constantFrom([], [], [], [beta]),
})

const createSandboxCommand = fc.constant(
  step(
    'createSandbox()',
    (model, driver) => {
      const keys = model.startKeys.map(({ label, value }) => ({
        label,
        value: `phx_at_${model.steps}_${value.slice(-30)}`,
      }))
      const { id } = driver.simulator(main).sandboxes.create({ keys })
      model.createSandbox(id, keys)
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
const adminCommands: fc.Arbitrary<Command>[] = [
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

/** One request, and the same response from both. */
const requestCommand = (profile: Profile): fc.Arbitrary<Command> =>
  anyIntent(profile).map((intent) =>
    step(showIntent(intent), async (model, driver) => {
      const request = toRequest(intent, model, driver.origin)
      const actual = await driver.send(request)
      const difference = differenceOf(model.send(request), actual)
      if (difference) throw new Error(`${showRequest(request)}\n${difference}`)
    }),
  )

/** Commands, each as often as it shall be chosen. */
export function commands(profile: Profile, maxCommands = 120): fc.Arbitrary<Iterable<Command>> {
  const all: fc.Arbitrary<Command>[] = [...repeat(60, requestCommand(profile)), ...adminCommands]
  return fc.commands(all, { maxCommands, size: 'max' })
}

function showIntent(intent: Intent): string {
  const { method, resource, rest, parent, row, world, key, body } = intent
  const where = `${resource}${rest ?? '?'}`.replace(':id', `#${row}`)
  return `${method} ${parent.slice(-2)}/${where} w${world} k${key}${body ? ` ${showBody(body)}` : ''}`
}
