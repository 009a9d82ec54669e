import fc from 'fast-check'
import type { Law, Mutation } from './laws.ts'
import { sessions } from './session.ts'

const values = [
  undefined,
  'al',
  '',
  0,
  -1,
  1.5,
  null,
  true,
  [],
  {},
  { $saved: 'x' },
  'default',
  '2024-13-01',
]

const mutations: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat({ max: 9_999 }).map((place) => place / 10_000),
  value: fc.constantFrom<unknown[]>(...values),
})

/**
 * Checks a law with random sessions, always the same ones of a seed.
 *
 * @throws Error with the shortest session that breaks the law, and how to run it again
 */
export async function checkLaw({ check, changes, name }: Law, count: number): Promise<void> {
  const { CHAIN_SEED = '1', CHAIN_PATH } = process.env
  const seed = Number(CHAIN_SEED)
  const details = await fc.check(fc.asyncProperty(sessions(changes), mutations, check), {
    seed,
    numRuns: count,
    ...(CHAIN_PATH !== undefined && { path: CHAIN_PATH }),
  })
  if (!details.failed) return
  const { counterexample, counterexamplePath, errorInstance } = details
  const lines = [
    `A session breaks the law: ${name}. ${fc.stringify(counterexample)}`,
    (errorInstance as Error | null)?.message,
    `Again: CHAIN_SEED=${seed} CHAIN_PATH=${counterexamplePath} npm test -- test/laws/chain`,
  ]
  throw new Error(lines.join('\n'), { cause: errorInstance })
}
