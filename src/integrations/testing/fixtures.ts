import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { Simulator } from '../../simulator.ts'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** A caller with one key of a world. */
export interface Caller {
  /** What goes after `Bearer ` */
  readonly key: string
  /** What a request of this caller carries */
  readonly headers: { readonly authorization: string }
  /** As `fetch` does, with the key; a path is taken as by `simulator.fetch`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
}

/**
 * Who has the key of a label.
 *
 * @throws UsageError for a label that no key has
 * @example await as('annotation:read').fetch('/api/projects/1/annotations/')
 */
export type As = (label: string) => Caller

/** The callers of a simulator. Labels are looked up at each use, as keys come and go. */
export function createAs(simulator: Simulator): As {
  return (label) => {
    const key = keyByLabel(simulator, label)
    const headers = { authorization: `Bearer ${key}` }
    return {
      key,
      headers,
      fetch: (input, init) => {
        const given = init?.headers ?? (input instanceof Request ? input.headers : [])
        const all = new Headers(given)
        all.set('authorization', headers.authorization)
        return simulator.fetch(input, { ...init, headers: all })
      },
    }
  }
}

function keyByLabel({ keys }: Simulator, label: string): string {
  const rows = keys.list()
  const row = rows.find((one) => one.label === label)
  if (row) return row.value
  // A key without a label of its own has its value for one, which is not to be seen.
  const labels = rows.flatMap((one) => (one.label === one.value ? [] : (one.label ?? [])))
  const meant = didYouMean(String(label), labels)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new UsageError(
    `Failed to ask as ${JSON.stringify(label)}: expected the label of a key, one of ${labels.join(' | ')}.${hint}`,
  )
}

/** What a test of Vitest or Playwright is given. */
export interface SimulatorFixtures {
  /** How the simulator of each test begins: for `test.override` in Vitest, `test.use` in Playwright. */
  simulatorOptions: SimulatorOptions
  /** Answers what is asked while the test runs: a new one for each test. */
  simulator: Simulator
  /** Who has the key of a label. */
  as: As
}
