import { Failure } from '../errors.ts'

/**
 * What a path or a query of the control API asks for by its name is not there. The parameter is the field at
 * fault: so whoever asks can tell a row that is gone from an address that is wrong.
 *
 * @example throw absent('id', 'Fault 7', 'it was never added, or was removed')
 */
export function resourceNotFound(parameter: string, what: string, reason: string): Failure {
  return new Failure('not_found', `${what} not found: ${reason}.`, { attr: parameter })
}
