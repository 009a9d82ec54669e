import { describeLatestRequests, labelsOf } from '../../report/failed-requests.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { didYouMean, UsageError } from '../../utils/errors.ts'
import { isRequest } from '../../utils/kinds.ts'
import type { Scope } from '../../world/keys.ts'
import { printMistakes, TestedClient, type TestOptions } from './tested-client.ts'

/** A client that sends requests with one key of a world. */
export interface Caller {
  /** The value of the key, which follows `Bearer ` in the Authorization header */
  readonly key: string
  /** Headers for requests with this key */
  readonly headers: { readonly authorization: string }
  /** Works as `simulator.fetch` does, with the key added. */
  readonly fetch: Simulator['fetch']
}

/**
 * Returns a client with a key of the world: the key with this label, with this value, or with exactly these scopes.
 *
 * @throws UsageError if there is no such key
 * @example
 * await as('annotations').fetch('/api/projects/1/annotations/') // a label
 * await as('phx_annotations').fetch('/api/projects/1/annotations/') // a value
 * await as(['annotation:read', 'annotation:write']).fetch('/api/projects/1/annotations/') // scopes
 */
export type As = (key: string | readonly Scope[]) => Caller

/** Creates the `as` function of a simulator. It looks up keys at each call, since they can change. */
export function createAs(simulator: Simulator): As {
  return (wanted) => {
    const key = findKey(simulator, wanted)
    const authorization = `Bearer ${key}`
    return {
      key,
      headers: { authorization },
      fetch: (input, init) => {
        const headers = new Headers(init?.headers ?? (isRequest(input) ? input.headers : []))
        headers.set('authorization', authorization)
        return simulator.fetch(input, { ...init, headers })
      },
    }
  }
}

function findKey({ keys }: Simulator, wanted: string | readonly string[]): string {
  const rows = keys.list()
  const row =
    typeof wanted === 'string'
      ? (rows.find(({ label }) => label === wanted) ?? rows.find(({ value }) => value === wanted))
      : rows.find(({ scopes }) => areSameScopes(scopes, wanted))
  if (row) return row.value
  const labels = labelsOf(rows)
  const isLabel = typeof wanted === 'string'
  const scopes = rows.flatMap((key) => key.scopes ?? [])
  const [meant] = isLabel
    ? [didYouMean(wanted, labels)]
    : wanted.flatMap((scope) => didYouMean(scope, scopes) ?? [])
  const hint = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
  const allowed = isLabel ? labels : rows.flatMap((key) => (key.scopes ? [key.scopes] : []))
  const names = [...new Set(allowed.map((name) => JSON.stringify(name)))].join(', ')
  const [missing, title] = isLabel ? ['label or value', 'labels'] : ['scopes', 'scopes of the keys']
  throw new UsageError(
    `No key has the ${missing} ${JSON.stringify(wanted)}.${hint} The ${title} are ${names}.`,
  )
}

function areSameScopes(scopes: readonly string[] | null, wanted: readonly string[]): boolean {
  return scopes !== null && scopes.toSorted().join() === wanted.toSorted().join()
}

/** The fixtures of a test in Vitest or Playwright. */
export interface SimulatorFixtures {
  /** Options for the simulator of each test. Set them with `test.override` in Vitest, or `test.use` in Playwright. */
  simulatorOptions: TestOptions
  /** Answers the requests of the test. Each test gets a new one. */
  simulator: Simulator
  /** Returns a client with a key of the world, by its label, its value or its scopes. */
  as: As
}

/** The argument of a function that `withSimulator` runs. */
export type SimulatorContext = Readonly<Pick<SimulatorFixtures, 'simulator' | 'as'>>

type Run<T> = (context: SimulatorContext) => T | Promise<T>

/**
 * Runs a function, such as a test, with its own simulator, which intercepts requests to any origin, as that of
 * `understudy-api/vitest`. Several functions can run concurrently or inside one another. If the function throws, the latest
 * requests are printed, else the client mistakes.
 *
 * @returns the result of the function
 * @throws UsageError for an invalid option; the error of the function; with `mistakes: 'fail'` an error that lists them
 * @example
 * test('lists no rows', () =>
 *   withSimulator({ world: 'empty' }, async ({ as }) => {
 *     const { headers } = as('all')
 *     const response = await fetch('https://app.example.com/api/projects/', { headers })
 *   }))
 */
export async function withSimulator<T>(
  ...args: [run: Run<T>] | [options: TestOptions, run: Run<T>]
): Promise<T> {
  const [options, run] = args.length === 1 ? [{}, args[0]] : args
  const client = new TestedClient(options)
  const { simulator } = client
  // Loads MSW's interceptors on demand, since other exports of this package entry do not need them.
  const { interception } = await import('./interception.ts')
  const result = await interception
    .run(simulator, () => run({ simulator, as: createAs(simulator) }))
    .catch((error) => {
      console.error(describeLatestRequests(simulator))
      throw error
    })
  if (client.failure) throw client.failure
  printMistakes(client.usage.mistakes, "withSimulator({ mistakes: 'fail' }, …)")
  return result
}
