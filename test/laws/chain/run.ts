import fc from 'fast-check'
import type { Law } from './laws.ts'
import { sessions } from './session.ts'

/**
 * Checks a law with random sessions, always the same ones of a seed.
 *
 * @throws Error with the shortest session that breaks the law, and how to run it again
 */
export async function checkLaw({ check, changes, name }: Law, count: number): Promise<void> {
  const { CHAIN_SEED = '1', CHAIN_PATH } = process.env
  const seed = Number(CHAIN_SEED)
  const details = await fc.check(fc.asyncProperty(sessions(changes), check), {
    seed,
    numRuns: count,
    ...(CHAIN_PATH !== undefined && { path: CHAIN_PATH }),
  })
  if (!details.failed) return
  const { counterexample, counterexamplePath, errorInstance } = details
  const lines = [
    `A session breaks the law: ${name}. ${fc.stringify(counterexample)}`,
    (errorInstance as Error | null)?.message,
    `Again: CHAIN_SEED=${seed} CHAIN_PATH=${counterexamplePath} npm run slow -- test/laws`,
  ]
  throw new Error(lines.join('\n'), { cause: errorInstance })
}
