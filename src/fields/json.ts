import type { PolicyId } from '../policies/policies.ts'
import { isJson } from '../world/json-value.ts'
import type { Json } from '../world/rows.ts'
import { type Field, Invalid } from './field.ts'

/** How a structured field is declared: which shape was observed, and the policy that may ask for it. */
export interface Structure {
  readonly policy: PolicyId
  readonly hasObservedShape: (value: unknown) => boolean
}

/**
 * Any JSON that can be written, or by policy only what has the shape that was observed (observed §5). In a form the value is
 * the text of a JSON value.
 */
export function structured({ policy, hasObservedShape }: Structure): Field<Json> {
  return {
    schema: () => ({ type: ['object', 'array', 'string', 'number', 'boolean'] }),
    takesBlank: () => true,
    read(value, { settings, form }) {
      const read = form && typeof value === 'string' ? parse(value) : value
      if (!isJson(read)) throw notValid()
      if (settings[policy] === 'observed_shape' && !hasObservedShape(read)) throw notValid()
      return read as Json
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notValid()
  }
}

function notValid(): Invalid {
  return new Invalid('invalid_input', 'Value must be valid JSON.')
}
