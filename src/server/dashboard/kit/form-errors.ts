import type { RemoteError } from '../../../remote/client.ts'
import { capitalize } from './format.ts'

/** Where a form shows an error: at its fields, and the rest below them. */
export interface FormErrors {
  /** Empty if the fields show everything. */
  readonly general: string
  /** By the name of the field */
  readonly fields: Readonly<Record<string, string>>
}

export const noErrors: FormErrors = { general: '', fields: {} }

/**
 * Splits an error of the control API by the fields of a form. The server lists several issues line by line, each with
 * its path, and names the field of a single issue.
 *
 * @example splitErrors(new Error('Failed.\n  user: expected an id in users, got 77'), ['user']).fields // { user: 'Expected an id in users, got 77' }
 */
export function splitErrors(
  error: Pick<RemoteError, 'message'> & { readonly field?: string | null },
  names: readonly string[],
): FormErrors {
  const known = (path: string) => names.find((name) => name === path.split(/[.[]/)[0])
  const [heading = '', ...issues] = error.message.split('\n')
  const single = issues.length === 0 ? known(error.field ?? '') : undefined
  if (single !== undefined) return { general: '', fields: { [single]: heading } }
  const fields: Record<string, string> = {}
  const others = issues.filter((issue) => {
    const [, path = '', text = ''] = /^\s*([^:\s]+): (.*)$/.exec(issue) ?? []
    const name = known(path)
    if (name !== undefined) fields[name] ??= capitalize(text)
    return name === undefined
  })
  const isShown = issues.length > 0 && others.length === 0
  return { general: isShown ? '' : [heading, ...others].join('\n'), fields }
}
