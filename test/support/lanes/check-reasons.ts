import { expect } from 'vitest'
import { explainEntry } from '../../../src/analysis/reasons/explain.ts'
import type { Reason, ResponseReasons } from '../../../src/analysis/reasons/response-reasons.ts'
import { bodyText } from '../../../src/http/messages.ts'
import type { JournalRecord } from '../../../src/sandbox/journal/journal.ts'
import type { SimulatorBase } from '../../../src/sandbox/simulator-base.ts'
import { isObject } from '../../../src/utils/json.ts'

/** A rule that stands for none: `explain` found no policy, constant or line. */
const unexplained = ['fault.undefined', 'configured']

/** The parts of a response without a rule: the status, a field or a header. */
export function findUnexplained(
  simulator: SimulatorBase,
  reasons: ResponseReasons,
  headerNames: Iterable<string>,
): string[] {
  const { decided_by, fields, headers, request_fields, policies } = reasons
  const parts: readonly (readonly [string, Reason])[] = [
    ['status', decided_by],
    ...Object.entries({ ...request_fields, ...fields, ...headers }),
    ...policies.map((policy) => [policy.id, policy] as const),
  ]
  const body = simulator.journal.get(reasons.entry)?.response.body
  // What the simulator adds is no part of the API.
  const ofApi = [...headerNames].filter((name) => !name.startsWith('understudy-'))
  const isOpen = ({ id, sentence, source }: Reason) =>
    unexplained.includes(id) || !sentence || !source
  return [
    ...parts.filter(([, reason]) => isOpen(reason)).map(([name]) => name),
    ...Object.keys(isObject(body) ? body : {}).filter((name) => !(name in fields)),
    ...ofApi.filter((name) => !(name in headers)),
  ]
}

/** The kinds of responses that were explained. Thousands of others are like them. */
const known = new Set<string>()

/** Explains each response in the journals that is unlike all before. */
export function checkReasons(simulator: SimulatorBase): void {
  const sandboxes = simulator.sandboxes.list().map(({ id }) => simulator.sandboxes.get(id))
  for (const each of [simulator, ...sandboxes]) {
    const records = each ? each.sandbox.journal.records : []
    for (const record of records) if (each && isNew(record)) checkRecord(record, each)
  }
}

/** Recordings and neighbours have one reason for all. */
function isNew({ policyReads, operation, response, fault, requestBody }: JournalRecord): boolean {
  const { status, headers } = response
  const text = status >= 400 ? bodyText(response.body) : ''
  const size = Math.round(Math.log10(Object(requestBody).length ?? 0))
  const code = /"code":"\w+"/.exec(text)?.[0]
  const kind = JSON.stringify([operation, status, code, Object.keys(headers), fault !== null, size])
  if (!policyReads || known.has(kind)) return false
  known.add(kind)
  return true
}

function checkRecord({ id, method, target, response }: JournalRecord, simulator: SimulatorBase) {
  const title = `${method} ${target} ${response.status}`
  const reasons = explainEntry(id, simulator.sandbox)
  const names = Object.keys(response.headers)
  expect(reasons && findUnexplained(simulator, reasons, names), title).toEqual([])
}
