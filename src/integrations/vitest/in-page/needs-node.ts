import { UsageError } from '../../../utils/errors.ts'

/** @throws UsageError always */
export async function readScenario(file: string): Promise<never> {
  throw new UsageError(
    `A page cannot read ${file}. Import the scenario: import scenario from './${file.replace(/^\.\//, '')}'.`,
  )
}

/** @throws UsageError always */
export async function listen(): Promise<never> {
  throw new UsageError(
    'A page cannot run a server. Run the test in Node, or start one with npx understudy-api serve.',
  )
}
