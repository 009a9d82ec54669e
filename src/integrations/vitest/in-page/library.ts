import { UsageError } from '../../../utils/errors.ts'

/** @throws UsageError always */
export async function readScenario(file: string): Promise<never> {
  throw new UsageError(
    `A page cannot read ${file}. Import the scenario: import scenario from './${file.replace(/^\.\//, '')}'.`,
  )
}
