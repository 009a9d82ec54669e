import { endpoints } from '../../api/endpoints.ts'
import { bodyLength, bodyText } from '../../http/messages.ts'
import { isByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId } from '../../policies/policies.ts'
import { usedPolicies } from '../../sandbox/journal/deciding-policies.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { addKeyUse, findUsedKey, isSameKey, type KeyUse, nameOfKey } from '../keys/key-use.ts'
import { everyEndpoint } from '../keys/rights.ts'
import { ExchangeLog, type LoggedExchange, type Sizes } from './exchange-log.ts'
import { type ExercisedMutants, MutantCollector } from './mutants.ts'

/** What a client did in one run. */
export interface ClientTrace {
  readonly requests: number
  /** The policies that the simulator read */
  readonly consulted: readonly PolicyId[]
  /** The operations that it used and whose scope the documentation does not name */
  readonly unscopedOperations: readonly string[]
  /** How it used the keys that the world had at first */
  readonly keys: readonly KeyUse[]
  /** What all of its responses were, apart from times and ports: equal texts mean equal responses */
  readonly responses?: string
  readonly sizes?: Sizes
  /** The mutants of its responses. Only if they were collected */
  readonly mutants?: ExercisedMutants
}

/**
 * Follows the requests to a simulator, and to the sandboxes that are created later.
 *
 * @param withMutants also collects the mutants of the responses, for which each response is parsed
 * @returns a function that returns what the client has done so far
 */
export function traceClient(simulator: SimulatorBase, withMutants = false): () => ClientTrace {
  const collector = withMutants ? new MutantCollector() : null
  const log = new ExchangeLog()
  const consulted = new Set<PolicyId>()
  const operations = new Set<string>()
  const uses: KeyUse[] = []
  const known = simulator.keys.list().map(nameOfKey)
  const follow = ({ journal, sandbox }: SimulatorBase): void => {
    journal.followRecords((record) => {
      log.add(toLogged(record))
      collector?.add(record)
      for (const { id } of usedPolicies(record)) consulted.add(id as PolicyId)
      if (record.operation !== null) operations.add(record.operation)
      const endpoint = everyEndpoint.get(record.operation ?? '')
      const key = findUsedKey(record, sandbox.tables)
      const name = key && nameOfKey(key)
      if (!endpoint || !name || !known.some((one) => isSameKey(one, name))) return
      addKeyUse(uses, name, endpoint, record.settings)
    })
  }
  follow(simulator)
  simulator.sandboxes.follow((_id, sandbox) => follow(sandbox))
  return () => ({
    requests: log.requests,
    sizes: log.sizes,
    responses: log.responses,
    consulted: [...consulted].toSorted(),
    unscopedOperations: endpoints
      .filter(({ id, scope }) => operations.has(id) && isByPolicy(scope))
      .map(({ id }) => id),
    keys: uses,
    ...(collector && { mutants: collector.exercised }),
  })
}

function toLogged({
  operation,
  method,
  target,
  requestBody,
  response: { status, headers, body },
}: JournalRecord): LoggedExchange {
  const sent = bodyLength(requestBody) ?? 0
  const text = bodyText(body)
  return { operation, method, target, sent, status, headers: Object.entries(headers), text }
}
