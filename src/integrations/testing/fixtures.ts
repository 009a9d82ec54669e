import { describeLatestRequests, labelsOf } from '../../report/failed-requests.ts'
import {
  describeMistakes,
  isFailing,
  listMistakes,
  type MistakeMode,
  mistakeModes,
} from '../../report/mistake-lines.ts'
import { followRun, type RunUsage } from '../../report/usage.ts'
import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { createSweptSimulator } from '../../sweep/swept-run.ts'
import { isUsageError, suggestWord, UsageError } from '../../utils/errors.ts'
import { isRequest } from '../../utils/kinds.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import type { Scope } from '../../world/keys.ts'

/** Options for the simulator of a test. */
export interface TestOptions extends SimulatorOptions {
  /**
   * Whether client mistakes are printed at the end, though the test passed, or fail it. Notes never fail. Defaults
   * to `print`
   */
  readonly mistakes?: MistakeMode
}

const testSchema = optionsSchema<TestOptions>({
  ...simulatorOptions,
  mistakes: option.oneOf(mistakeModes),
})

/** The client of a test, whose requests its own simulator answers. */
export class TestedClient {
  readonly simulator: Simulator
  readonly #mode: MistakeMode
  readonly #usageOf: () => RunUsage

  /** @throws UsageError for an invalid option */
  constructor(testOptions: TestOptions) {
    checkOptions(testSchema, testOptions, 'create a simulator')
    const { mistakes = 'print', ...options } = testOptions
    this.#mode = mistakes
    this.simulator = createSweptSimulator(options, createSimulator)
    this.#usageOf = followRun(this.simulator)
  }

  /** What the client has used and done wrong so far: nothing wrong with `mistakes: 'off'`. */
  get usage(): RunUsage {
    const usage = this.#usageOf()
    return this.#mode === 'off' ? { ...usage, mistakes: [] } : usage
  }

  /** The error of a test that passed, but for mistakes of its client. Null for none */
  get failure(): Error | null {
    const mistakes = this.#mode === 'fail' ? this.usage.mistakes.filter(isFailing) : []
    if (mistakes.length === 0) return null
    const error = new Error(describeMistakes(mistakes).join('\n'))
    // Its stack leads into this package.
    return Object.assign(error, { stack: `${error.name}: ${error.message}` })
  }
}

/**
 * Prints the client mistakes whose tests passed.
 *
 * @param option how the option is written that fails such tests
 */
export function printMistakes(mistakes: RunUsage['mistakes'], option: string): void {
  const lines = listMistakes(mistakes)
  if (lines.length === 0) return
  const setting = mistakes.some(isFailing)
    ? `${option} fails a test with mistakes, and 'off' prints nothing.`
    : "The option mistakes: 'off' prints nothing."
  const hint = `simulator.journal.mistakes() has the requests, and what to do. ${setting}`
  console.warn([...lines, hint].join('\n'))
}

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

function findKey({ keys }: Simulator, wanted: string | readonly string[]) {
  const rows = keys.list()
  const row =
    typeof wanted === 'string'
      ? (rows.find(({ label }) => label === wanted) ?? rows.find(({ value }) => value === wanted))
      : rows.find(({ scopes }) => areSameScopes(scopes, wanted))
  if (row) return row.value
  const labels = labelsOf(rows)
  const isLabel = typeof wanted === 'string'
  const scopes = rows.flatMap((key) => (key.scopes ? [key.scopes] : []))
  const hint = isLabel
    ? suggestWord(wanted, labels)
    : wanted.map((scope) => suggestWord(scope, scopes.flat())).join('')
  const allowed = (isLabel ? labels : scopes).map((name) => JSON.stringify(name))
  const [missing, title] = isLabel ? ['label or value', 'labels'] : ['scopes', 'scopes of the keys']
  throw new UsageError(
    `No key has the ${missing} ${JSON.stringify(wanted)}.${hint} The ${title} are ${[...new Set(allowed)].join(', ') || 'none'}.`,
  )
}

function areSameScopes(scopes: readonly string[] | null, wanted: readonly string[]) {
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
 * requests are printed, but for a `UsageError`, else the client mistakes.
 *
 * @returns the result of the function
 * @throws UsageError for an invalid option; the error of the function; with `mistakes: 'fail'` an error that lists them
 * @example
 * test('lists no rows', () =>
 *   withSimulator({ world: 'empty' }, async ({ as }) => {
 *     const { headers } = as('all')
 *     const response = await fetch('https://app.example.com/api/projects/1/annotations/', { headers })
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
      // It says what to do, with or without requests.
      if (!isUsageError(error)) console.error(describeLatestRequests(simulator))
      throw error
    })
  if (client.failure) throw client.failure
  printMistakes(client.usage.mistakes, "withSimulator({ mistakes: 'fail' }, …)")
  return result
}
