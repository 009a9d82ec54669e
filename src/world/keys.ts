import { inspectValue, issuesError, refuseFilter } from '../utils/errors.ts'
import { randomText } from '../utils/seeded-random.ts'
import { completeRowIn } from './load/load-world.ts'
import type { KeyRow } from './rows.ts'
import { findRowIssues } from './schema/row-issues.ts'
import type { Tables } from './tables.ts'
import { type scopeObjects, toGivenRow } from './world-format.ts'
import type { GivenFields, RowJson } from './world-json.ts'

/** What a key allows: reads or writes of one kind of object, or `*` for everything. Scopes of other APIs need a cast. */
export type Scope = '*' | `${(typeof scopeObjects)[number]}:${'read' | 'write'}`

/** The fields of a new key. Its user defaults to the first user of the world. */
export interface KeyRequest extends GivenFields<Omit<RowJson<'keys'>, 'scopes'>> {
  /** Null for a legacy key, which has full access. All scopes by default */
  readonly scopes?: readonly Scope[] | null | undefined
}

export interface KeyState extends KeyCounter {
  readonly tables: Tables
  /** Whether a key selects another world */
  isTakenElsewhere(key: string): boolean
}

/** The API keys of a world. The service has no operation to issue or revoke keys. */
export class Keys {
  readonly #state: KeyState

  constructor(state: KeyState) {
    this.#state = state
  }

  /** Lists all keys, as copies. @throws UsageError for an argument: it is no filter */
  list(...others: readonly undefined[]): KeyRow[] {
    refuseFilter('the keys', others)
    return structuredClone([...this.#state.tables.keys.values()])
  }

  /**
   * Issues a key.
   *
   * @param request without `scopes`, the key has all scopes (`['*']`)
   * @returns the value of the key: the text after `Bearer `
   * @throws UsageError for a malformed scope, a missing user, project or organization, or a value that is taken; then
   * nothing changes
   * @example simulator.keys.issue({ scopes: ['annotation:read'] }) // 'phx_…'
   */
  issue(request: KeyRequest = {}): string {
    const { tables, issuedKeys } = this.#state
    const [user] = tables.users.values()
    const from = Math.max(tables.keys.size, issuedKeys)
    const free = nextFreeKeyValue(this.#state, (value) => !this.#isTaken(value), from)
    const given = toGivenRow(request)
    const { value = free } = given
    const row = { user: user?.id, scopes: ['*'], ...given, value }
    const issues = findRowIssues({ tables }, 'keys', row)
    if (this.#isTaken(value)) issues.push({ path: ['value'], text: takenKey(value), isTaken: true })
    if (issues.length > 0) {
      this.#state.issuedKeys = issuedKeys
      throw issuesError('Failed to issue a key. Nothing was changed.', issues)
    }
    tables.keys.put(completeRowIn(tables, 'keys', row))
    return value
  }

  /** Revokes a key. @returns false if there is no such key */
  revoke(value: string): boolean {
    return this.#state.tables.keys.remove(value)
  }

  #isTaken(value: string) {
    return this.#state.tables.keys.get(value) !== undefined || this.#state.isTakenElsewhere(value)
  }
}

/** Why a key cannot have a value that another one has. */
export function takenKey(value: string): string {
  return `the simulator or a sandbox already has a key with the value ${inspectValue(value)}. Choose another value.`
}

interface KeyCounter {
  readonly seed: number
  /** 0 for a simulator, else the number of the sandbox, so that each sandbox issues different keys */
  readonly number: number
  issuedKeys: number
}

/**
 * Returns the next free value, of 44 characters, and counts it as issued.
 *
 * @param from the number of values to skip
 */
export function nextFreeKeyValue(
  counter: KeyCounter,
  isFree: (value: string) => boolean,
  from: number = counter.issuedKeys,
): string {
  const { seed, number } = counter
  const ownSeed = number === 0 ? seed : seed ^ Math.imul(number, 0x9e3779b1)
  counter.issuedKeys = from
  for (;;) {
    counter.issuedKeys += 1
    const value = `phx_${randomText(ownSeed, counter.issuedKeys, 40)}`
    if (isFree(value)) return value
  }
}
