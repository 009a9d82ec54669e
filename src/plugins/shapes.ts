import { isObject } from '../differences.ts'

/** The shapes that were observed of a plugin's structured fields (observed §5). */

const fieldTypes = ['string', 'attachment', 'choice', 'json']

/** A list of field objects, or an object of them by field; `{}` while there are none. */
export function isConfigSchema(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((entry) => isConfigField(entry))
  return isObject(value) && Object.values(value).every((entry) => isConfigField(entry))
}

/** `{ markdown }`, or a field of a known type. */
function isConfigField(entry: unknown): boolean {
  if (!isObject(entry)) return false
  return typeof entry.markdown === 'string' || fieldTypes.includes(entry.type as string)
}

/** `{}` until analysed, then lists of names. */
export function isCapabilities(value: unknown): boolean {
  const known = ['methods', 'jobs', 'scheduled_tasks']
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, list]) =>
        known.includes(name) &&
        Array.isArray(list) &&
        list.every((item) => typeof item === 'string'),
    )
  )
}

/** Name to `sum`, `max` or `min`. */
export function isMetrics(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((kind) => ['sum', 'max', 'min'].includes(kind as string))
  )
}

/** Job name to `{ payload }`. */
export function isPublicJobs(value: unknown): boolean {
  return (
    isObject(value) && Object.values(value).every((job) => isObject(job) && isObject(job.payload))
  )
}
