import type { PolicyId } from '../policies/policies.ts'
import { isJson } from '../world/json-value.ts'
import type { Json } from '../world/rows.ts'
import { type Field, FieldError } from './field.ts'

/** How a structured field is declared: which shape was observed, and the policy that may ask for it. */
export interface JsonFieldOptions {
  readonly policy: PolicyId
  readonly hasObservedShape: (value: unknown) => boolean
}

/**
 * Any JSON that can be written, or by policy only what has the shape that was observed (observed §5). In a form the value is
 * the text of a JSON value.
 */
export function jsonField({ policy, hasObservedShape }: JsonFieldOptions): Field<Json> {
  return {
    schema: () => ({ type: ['object', 'array', 'string', 'number', 'boolean'] }),
    acceptsBlank: () => true,
    read(value, { settings, isForm }) {
      const read = isForm && typeof value === 'string' ? parseJsonText(value) : value
      if (!isJson(read)) throw invalidJson()
      if (settings[policy] === 'observed_shape' && !hasObservedShape(read)) throw invalidJson()
      return read as Json
    },
  }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

function invalidJson(): FieldError {
  return new FieldError('invalid_input', 'Value must be valid JSON.')
}
