import { KeyRedactor } from '../../utils/redaction/redactor.ts'
import type { StepResult } from './result.ts'
import type { KeyValues } from './sender.ts'

/**
 * Returns a function that masks what a service repeated of secrets: the keys of `--key`, and other secrets by their names
 * and their form.
 */
export function stepMasker(
  { key, keys = {} }: KeyValues,
  redact?: readonly string[],
): (step: StepResult) => StepResult {
  const redactor = new KeyRedactor([key ?? [], Object.values(keys)].flat(), redact)
  return (step) => {
    const masked = redactor.json(step) as StepResult
    const differences = masked.differences.map((difference) => {
      const { got, path, inWords } = difference
      return inWords ? difference : { ...difference, got: redactor.part(got, path) }
    })
    return { ...masked, differences }
  }
}
