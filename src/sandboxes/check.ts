import { didYouMean, unexpectedValue } from '../usage-error.ts'
import type { SandboxRequest } from './request.ts'

/** What a fork can be asked for. */
export const forkFields: readonly (keyof SandboxRequest)[] = [
  'seed',
  'profile',
  'policies',
  'clock',
]

/** What a sandbox can be asked for. */
export const sandboxFields: readonly (keyof SandboxRequest)[] = [
  'from',
  ...forkFields,
  'ttl_s',
  'keys',
]

/**
 * Checks that a request is one, and has no field that nobody reads. Each field is checked where it is read.
 *
 * @param task what fails
 * @throws UsageError for another value, or an unknown field, which is then the field at fault
 */
export function rejectUnknownFields(
  request: object,
  fields: readonly string[],
  task: string,
): void {
  const expected = `an object with fields of ${fields.join(', ')}`
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw unexpectedValue(task, expected, request)
  }
  const unknown = Object.keys(request).find((name) => !fields.includes(name))
  if (unknown === undefined) return
  throw unexpectedValue(task, expected, unknown, didYouMean(unknown, fields), unknown)
}
