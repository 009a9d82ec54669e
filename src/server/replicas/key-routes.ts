import { Failure } from '../../http/failures.ts'
import type { RequestHead } from '../../http/messages.ts'
import { queryString, requestTarget } from '../../http/url.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { hashedPart, keyPrefix, type Replica, replicaOfKey } from '../../world/replica.ts'
import type { Tables } from '../../world/table/tables.ts'

/** Names a replica, in a request to the control API. */
export const replicaHeader = 'understudy-replica'
/** The header of a page that says how many rows there are, also on other replicas */
export const totalHeader = 'understudy-total-count'
/** Set by the proxy: what it hashed to route a request. */
const routedByHeader = 'understudy-routed-by'

/** Refuses what would end on a replica where its key does not go. Proxies route by keys, but cannot read bodies. */
export class KeyRoutes {
  readonly #replica: Replica
  /** What is hashed of the keys that a proxy was seen to route to this replica, by the sandbox that has the keys */
  readonly #accepted = new WeakMap<Sandbox, Set<string>>()

  constructor(replica: Replica) {
    this.#replica = replica
  }

  /** @throws Failure for a request of the control API that names another replica, and no sandbox */
  checkRequest(head: RequestHead): void {
    if (/^\/(?:__sandbox|__admin\/sandboxes)\/r\d+-/.test(requestTarget(head.url))) return
    const query = new URLSearchParams(queryString(head.url)).get('replica')
    const named = head.headers.get(replicaHeader) ?? query
    const { number, of } = this.#replica
    if (named === null || named === String(number)) return
    const isKnown = /^[1-9]\d*$/.test(named) && Number(named) <= of
    const problem = isKnown
      ? `This is replica ${number} of ${of}, and the request is for replica ${named}. Send it to that one, or to the proxy.`
      : `Failed to select a replica: expected a number from 1 to ${of}, got ${inspectValue(named)}.`
    throw new Failure('validation_error', problem, { attr: 'replica', code: 'wrong_replica' })
  }

  /**
   * Checks chosen keys: each one names this replica, or the proxy routed the request, or an earlier one, by it.
   *
   * @param keys the values, by the path of the field
   * @param request the request that chooses them
   * @param simulator the world that gets the keys. Undefined for a new sandbox
   * @throws Failure `validation_error` for the first key that may be routed elsewhere
   */
  check(
    keys: Readonly<Record<string, unknown>>,
    request: { header(name: string): string | null },
    simulator?: SimulatorBase,
  ): void {
    const sandbox = simulator?.sandbox
    // Below the URL of a sandbox, any key works. A client that names the replica says that it needs no more.
    const isNamed = request.header(replicaHeader) === String(this.#replica.number)
    if (isNamed && sandbox && sandbox.number > 0) return
    const routedBy = request.header(routedByHeader)
    for (const [field, value] of Object.entries(keys)) {
      if (typeof value !== 'string' || (sandbox && this.#isKnown(value, sandbox))) continue
      const number = replicaOfKey(value)
      const isHere =
        number === null ? hashedPart(value) === routedBy : number === this.#replica.number
      if (!isHere) throw this.#wrongReplica(value, field, routedBy)
    }
    if (simulator) this.accept(Object.values(keys), simulator)
  }

  /** Remembers keys that were checked, so that the same sandbox may have them again. */
  accept(keys: readonly unknown[], simulator: SimulatorBase): void {
    const { sandbox } = simulator
    const accepted = this.#accepted.get(sandbox) ?? new Set()
    this.#accepted.set(sandbox, accepted)
    for (const key of keys) {
      if (typeof key === 'string' && replicaOfKey(key) === null) accepted.add(hashedPart(key))
    }
  }

  /** A key that selects another sandbox gets a twin, which selects this one. */
  #isKnown(value: string, sandbox: Sandbox): boolean {
    const { tables, initial } = sandbox
    return (
      tables.keys.get(value) !== undefined ||
      initial.tables.keys.get(value) !== undefined ||
      this.#accepted.get(sandbox)?.has(hashedPart(value)) === true ||
      (sandbox.number > 0 && sandbox.isTakenElsewhere(value))
    )
  }

  #wrongReplica(value: string, field: string, routedBy: string | null): Failure {
    const { number, of } = this.#replica
    const named = replicaOfKey(value)
    const reason =
      named !== null
        ? `it names replica ${named}`
        : routedBy === null
          ? 'its requests may be routed to another one'
          : `this request was routed by ${inspectValue(routedBy)}, and the key may be routed elsewhere`
    const detail =
      `Failed to choose the key ${inspectValue(value)} on replica ${number} of ${of}: ${reason}. ` +
      `Choose a key that begins with ${keyPrefix(this.#replica)}. Or create a sandbox with the key in the header ` +
      'Understudy-Key, too. The keys of a sandbox share what precedes their first dot.'
    return new Failure('validation_error', detail, { attr: field, code: 'wrong_replica' })
  }
}

/** The values of the keys of rows to add, by their path. */
export function keysOfRows(rows: unknown): Record<string, unknown> {
  const { keys } = Object(rows) as { keys?: unknown }
  if (!Array.isArray(keys)) return {}
  return Object.fromEntries(keys.map((row, index) => [`keys[${index}].value`, Object(row).value]))
}

/** The values of the keys of a world, by their path. */
export function keysOfTables({ keys }: Pick<Tables, 'keys'>): Record<string, unknown> {
  return keysOfRows({ keys: [...keys.values()] })
}
