import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { Simulator } from '../../simulator.ts'
import { didYouMean, UsageError } from '../../utils/usage-error.ts'

/** A client that sends requests with one key of a world. */
export interface Caller {
  /** The value of the key, which follows `Bearer ` in the Authorization header */
  readonly key: string
  /** Headers for requests with this key */
  readonly headers: { readonly authorization: string }
  /** Works as `simulator.fetch` does, with the key added. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
}

/**
 * Returns a client with the key of a label.
 *
 * @throws UsageError for an unknown label
 * @example await as('annotation:read').fetch('/api/projects/1/annotations/')
 */
export type As = (label: string) => Caller

/** Creates the `as` function of a simulator. It looks up labels at each call, since keys can change. */
export function createAs(simulator: Simulator): As {
  return (label) => {
    const key = findKey(simulator, label)
    const authorization = `Bearer ${key}`
    return {
      key,
      headers: { authorization },
      fetch: (input, init) => {
        const headers = new Headers(
          init?.headers ?? (input instanceof Request ? input.headers : []),
        )
        headers.set('authorization', authorization)
        return simulator.fetch(input, { ...init, headers })
      },
    }
  }
}

function findKey({ keys }: Simulator, label: string): string {
  const rows = keys.list()
  const row = rows.find((key) => key.label === label)
  if (row) return row.value
  // A key without its own label is labelled with its value, which messages must not show.
  const labels = rows.flatMap((key) => (key.label === key.value ? [] : (key.label ?? [])))
  const meant = didYouMean(String(label), labels)
  const hint = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
  const allowed = labels.map((name) => JSON.stringify(name)).join(', ')
  throw new UsageError(
    `No key has the label ${JSON.stringify(label)}.${hint} The labels are ${allowed}.`,
  )
}

/** The fixtures of a test in Vitest or Playwright. */
export interface SimulatorFixtures {
  /** Options for the simulator of each test. Set them with `test.override` in Vitest, or `test.use` in Playwright. */
  simulatorOptions: SimulatorOptions
  /** Answers the requests of the test. Each test gets a new one. */
  simulator: Simulator
  /** Returns a client with the key of a label. */
  as: As
}
