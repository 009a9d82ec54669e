import { type Resolvable, resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { toPythonString } from '../python/text.ts'
import { type Field, FieldError } from './field.ts'

/** The values a choice may have; `any` for every text. */
export type ChoiceValues = readonly string[] | 'any'

/**
 * One of a set of texts, case-sensitive (observed §4).
 *
 * @throws Invalid `"x" is not a valid choice.`, the value written as Python writes it
 * @example choice(byPolicy('annotations.creation_type.values', { observed: ['USR', 'GIT'], any: 'any' }))
 */
export function choiceField(choices: Resolvable<ChoiceValues>): Field<string> {
  return {
    schema(settings) {
      const allowed = resolveByPolicy(choices, settings)
      return allowed === 'any' ? { type: 'string' } : { type: 'string', enum: allowed }
    },
    acceptsBlank: (settings) => isAllowedChoice(choices, '', '', settings),
    read(value, { settings }) {
      const text = toPythonString(value)
      if (isAllowedChoice(choices, value, text, settings)) return text
      throw new FieldError('invalid_choice', `"${text}" is not a valid choice.`)
    },
  }
}

/** Any text is still no list, and no object. */
function isAllowedChoice(
  choices: Resolvable<ChoiceValues>,
  value: unknown,
  text: string,
  settings: PolicySettings,
): boolean {
  const allowed = resolveByPolicy(choices, settings)
  return allowed === 'any' ? typeof value === 'string' : allowed.includes(text)
}
