import { type Resolvable, resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { toText } from '../python/text.ts'
import { type Field, Invalid } from './field.ts'

/** The values a choice may have; `any` for every text. */
export type Choices = readonly string[] | 'any'

/**
 * One of a set of texts, case-sensitive (observed §4).
 *
 * @throws Invalid `"x" is not a valid choice.`, the value written as Python writes it
 * @example choice(byPolicy('annotations.creation_type.values', { observed: ['USR', 'GIT'], any: 'any' }))
 */
export function choice(choices: Resolvable<Choices>): Field<string> {
  return {
    schema(settings) {
      const allowed = resolve(choices, settings)
      return allowed === 'any' ? { type: 'string' } : { type: 'string', enum: allowed }
    },
    takesBlank: (settings) => allows(choices, '', '', settings),
    read(value, { settings }) {
      const text = toText(value)
      if (allows(choices, value, text, settings)) return text
      throw new Invalid('invalid_choice', `"${text}" is not a valid choice.`)
    },
  }
}

/** Any text is still no list, and no object. */
function allows(
  choices: Resolvable<Choices>,
  value: unknown,
  text: string,
  settings: PolicySettings,
): boolean {
  const allowed = resolve(choices, settings)
  return allowed === 'any' ? typeof value === 'string' : allowed.includes(text)
}
