import { trueWords } from '../../http/fields/body-fields.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { toPythonString } from '../../utils/python/text.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import type { Field } from '../../world/entities/field.ts'

/** Whether a service that got a value stores it like this. */
export function isStoredAs({ kind }: Field, sent: unknown, stored: unknown): boolean {
  if (isSameJson(sent, stored)) return true
  if (kind === 'time') return typeof sent === 'string' && parseDateTime(sent) === stored
  if (kind === 'text') return toPythonString(sent).trim() === stored
  if (kind === 'flag') return isTrue(sent) === stored
  if (kind === 'reference') return sent === '' ? stored === null : Number(sent) === stored
  return false
}

/** Whether a service takes a value for true. */
export function isTrue(value: unknown): boolean {
  return value === true || trueWords.includes(String(value))
}
