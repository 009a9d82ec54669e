import { expect, inject, test } from 'vitest'
import { createSimulator, type Simulator, UsageError } from '../../src/index.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { allControlEndpoints, controlDocument } from '../../src/server/control/endpoints.ts'
import { listen } from '../../src/server/listen.ts'
import { controlPath, examples } from '../support/control/examples.ts'
import { collectErrors } from '../support/errors.ts'
import { freePort } from '../support/free-port.ts'
import { createRandom, type Random } from '../support/random.ts'
import { FuzzDocument } from './document.ts'
import {
  hostileText,
  hostileValue,
  Members,
  mutate,
  toText,
  toValue,
  type Value,
} from './hostile-values.ts'
import { runRounds, withoutHang } from './run.ts'

type Example = (typeof examples)[string]

const roundSize = 200
const budget = inject('isLong')
  ? { requests: 100_000, seconds: 1_200 }
  : { requests: 2_000, seconds: 6 }

// The response of followJournal does not end.
const operations = allControlEndpoints.filter(({ id }) => id !== 'followJournal')

test('hostile requests to the control API get the responses that its document describes', async () => {
  const document = new FuzzDocument(controlDocument(allControlEndpoints, resolvePolicies()))
  const described = new Map(document.operations.map((operation) => [operation.id, operation]))
  // Node's fetch keeps memory for each origin that it has reached. So there is one, and no connection outlives a server.
  const port = await freePort()

  await runRounds('control API', budget, async (seed) => {
    const random = createRandom(seed)
    const { errors, onError } = collectErrors()
    const simulator = createSimulator({ onError, journal: { entries: 100 } })
    const server = await listen(simulator, { port, onError })
    try {
      for (let index = 0; index < roundSize; index++) {
        const { id, method, path } = random.pick(operations)
        const example = examples[id] ?? {}
        const isValid = random.below(4) === 0
        const target = isValid ? controlPath(path, example) : hostilePath(path, example, random)
        const schema = described.get(id)?.body
        const valid = example.body === undefined ? null : toValue(example.body)
        const value =
          isValid || !schema
            ? valid
            : hostileBody(valid, () => document.values.valid(schema, random), random)
        const body = value === null ? null : toText(bounded(value))
        if (random.below(5) === 0) await arrange(example, simulator)

        const response = await withoutHang(
          fetch(server.url + target, {
            method,
            body,
            headers: { 'content-type': 'application/json', connection: 'close' },
          }),
        )
        const received = {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        }
        // A hostile path can lead to another operation.
        const operation =
          isValid || target === controlPath(path, example) ? described.get(id) : null
        const violation = document.violation(operation ?? null, method, received)
        // Actors report what they cannot do.
        const unexpected = errors.splice(0).find((each) => !(each instanceof UsageError))
        const error = unexpected instanceof Error ? unexpected.stack : unexpected
        if (!violation && !error) continue
        throw new Error(
          `${violation ?? error}\nFUZZ_SEED=${seed}, request ${index}: ${id}\n${method} ${target.slice(0, 1_000)}\n${body?.slice(0, 3_000)}\n${received.status} ${received.text.slice(0, 1_000)}`,
        )
      }
    } finally {
      await server.close()
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    return roundSize
  })
})

/** Earlier requests can have removed the rows that an example needs. */
async function arrange({ arrange }: Example, simulator: Simulator): Promise<void> {
  try {
    await arrange?.(simulator)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
}

function hostilePath(path: string, example: Example, random: Random): string {
  if (random.below(3) > 0) return controlPath(path, example)
  // fetch resolves `.` and `..` itself, and requests another path.
  const text = () =>
    encodeURIComponent(Buffer.from(hostileText(random)).toString())
      .slice(0, 4_000)
      .replace(/^\.{0,2}$/, '...')
  const filled = path.replace(/:(\w+)/g, text)
  const name = random.pick([
    'limit',
    'offset',
    'search',
    'since',
    'until',
    'status',
    'id',
    'resource',
    'format',
    '__proto__',
  ])
  return random.below(2) === 0 ? `${filled}?${name}=${text()}` : filled
}

function hostileBody(example: Value, create: () => Value, random: Random): Value {
  switch (random.below(4)) {
    case 0:
      return hostileValue(random)
    case 1:
      return mutate(create(), random)
    default:
      return mutate(mutate(example, random), random)
  }
}

/** Rows by the thousand and long delays are valid, and take their time. */
function bounded(value: Value, isCount = false): Value {
  if (typeof value === 'number' && isCount) return Math.min(value, 50)
  if (Array.isArray(value)) return value.map((one) => bounded(one, isCount))
  if (!(value instanceof Members)) return value
  const counted = value.entries.some(([name]) => ['annotations', 'plugins'].includes(name))
  return new Members(
    value.entries.map(([name, one]) => [
      name,
      bounded(one, counted || isCount || /delay|ms$|_s$|generate/.test(name)),
    ]),
  )
}
