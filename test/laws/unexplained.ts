import type { Reason, ResponseReasons } from '../../src/analysis/reasons/response-reasons.ts'
import type { SimulatorBase } from '../../src/sandbox/simulator-base.ts'
import { isObject } from '../../src/utils/json.ts'

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
