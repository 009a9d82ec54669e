import { UsageError } from '../../../utils/errors.ts'

/** @throws UsageError always */
export async function readScenario(file: string): Promise<never> {
  throw new UsageError(
    `A page cannot read ${file}. Import it by its path from the test: import scenario from './story.json'.`,
  )
}

/** @throws UsageError always */
export async function listen(): Promise<never> {
  throw new UsageError(
    'A page cannot run a server. Run the test in Node, or start one with npx understudy-api serve.',
  )
}

/** The command of `sweep` does not reach a page: its tests keep their settings. */
export function createSweptSimulator<Options, Created>(
  options: Options,
  create: (options: Options) => Created,
): Created {
  return create(options)
}
