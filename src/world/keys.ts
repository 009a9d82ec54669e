import { describeIssues } from '../utils/schema-issues.ts'
import { randomText } from '../utils/seeded-random.ts'
import { inspectValue, UsageError } from '../utils/usage-error.ts'
import { completeKey } from './load/complete-rows.ts'
import type { KeyRow } from './rows.ts'
import { findDanglingReferences, hasRow } from './schema/references.ts'
import { keySchema } from './schema/row-schemas.ts'
import type { Tables } from './table/tables.ts'
import type { KeyJson } from './world-json.ts'

/** What a new key may be told; it is made for the world's first user unless told otherwise. */
export type KeyRequest = Partial<KeyJson>

/** The world that keys are of. */
export interface KeySandbox extends KeyCounter {
  readonly tables: Tables
  /** How many had been made when a key was last revoked. */
  retiredKeys: number
  /** Whether a key leads to another world. */
  isTakenElsewhere(key: string): boolean
}

/** The API keys of a world: issued and taken back by hand, as the service has no operation for it (observed §2). */
export class Keys {
  readonly #sandbox: KeySandbox

  constructor(sandbox: KeySandbox) {
    this.#sandbox = sandbox
  }

  /** Every key, as copies. */
  list(): KeyRow[] {
    return structuredClone([...this.#sandbox.tables.keys.values()])
  }

  /**
   * Adds a key and gives its value: what goes after `Bearer `.
   *
   * @param request without `scopes` the key may do everything (`['*']`)
   * @throws UsageError for a malformed scope, a user, project or organization that is not there, or a value
   *   that another key has
   * @example simulator.keys.issue({ scopes: ['annotation:read'] }) // 'phx_…'
   */
  issue(request: KeyRequest = {}): string {
    const { tables } = this.#sandbox
    const [user] = tables.users.values()
    const row = { value: this.#freeValue(), user: user?.id, scopes: ['*'], ...request }
    const parsed = keySchema.safeParse(row)
    const faults = parsed.success
      ? findDanglingReferences('keys', parsed.data, (list, id) => hasRow(tables, list, id))
      : describeIssues(parsed.error, row, 'key')
    if (this.#isTaken(row.value)) {
      faults.push(`value: expected a new one, got ${inspectValue(row.value)} again`)
    }
    if (!parsed.success || faults.length > 0) {
      throw new UsageError('Failed to issue a key. Nothing was changed.', faults)
    }
    tables.keys.set(completeKey(structuredClone(parsed.data)))
    return parsed.data.value
  }

  /** Ends a key; false when there is none of that value. */
  revoke(value: string): boolean {
    const { tables, issuedKeys } = this.#sandbox
    if (tables.keys.get(value) === undefined) return false
    this.#sandbox.retiredKeys = Math.max(tables.keys.size, issuedKeys)
    return tables.keys.delete(value)
  }

  /** Never one that was revoked, also where rows went back since: who still has it is not let in again. */
  #freeValue(): string {
    const { tables, issuedKeys } = this.#sandbox
    const from = Math.max(tables.keys.size, issuedKeys)
    return nextFreeKeyValue(this.#sandbox, (value) => !this.#isTaken(value), from)
  }

  #isTaken(value: string): boolean {
    return (
      this.#sandbox.tables.keys.get(value) !== undefined || this.#sandbox.isTakenElsewhere(value)
    )
  }
}

/** Whose keys are made. */
export interface KeySeed {
  readonly seed: number
  /** 0 for a simulator; sandboxes beside it are numbered from 1 on, so that each makes keys of its own. */
  readonly number: number
}

/**
 * The value of a key: what goes after `Bearer `. It follows from the seed, and is another one at each count.
 *
 * @example keyValue({ seed: 1, number: 0 }, 11) // 'phx_…', 44 characters
 */
export function createKeyValue({ seed, number }: KeySeed, count: number): string {
  return `phx_${randomText(number === 0 ? seed : seed ^ Math.imul(number, 0x9e3779b1), count, 40)}`
}

/** Whose keys are counted as they are made. */
interface KeyCounter extends KeySeed {
  /** How many values were made. */
  issuedKeys: number
}

/**
 * The next value that is free, which counts as made.
 *
 * @param from how many to count as made before it
 */
export function nextFreeKeyValue(
  counter: KeyCounter,
  isFree: (value: string) => boolean,
  from: number = counter.issuedKeys,
): string {
  counter.issuedKeys = from
  for (;;) {
    counter.issuedKeys += 1
    const value = createKeyValue(counter, counter.issuedKeys)
    if (isFree(value)) return value
  }
}
