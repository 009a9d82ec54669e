/**
 * What the profile `documented` does where the document is silent and where a change is likely. Each decision is one
 * constant, so that the model follows a change of the simulator by one line.
 */

/**
 * `scope first`: scope, restriction of the key, parent of the path, membership, method, row, body.
 * `parent first`: a narrowed key has its body parsed, its parent found and its restriction checked before its scope. The
 * body of any other key is parsed after the scope and before the parent is looked up, whatever the method.
 */
export const orderOfChecks: 'scope first' | 'parent first' = 'parent first' as never

/** `@current` stands for the project and the organization of the user. */
export const acceptsCurrent: boolean = true

/** What `repository` and `exports_unsubscribe_configs` answer if there is no plugin to show. */
export const nothingToShow: 'not found' = 'not found'

/** Floats without a fraction become text as Python prints them (`1e+16`), not like integers (`10000000000000000`). */
export const printsFloatsAsPython: boolean = true

/** OPTIONS on a path without GET requires the scope of its only method. Otherwise it requires the read scope. */
export const optionsNeedsScopeOfMethod: boolean = true
