import type { Endpoint } from '../http/endpoint.ts'
import type { JournalPolicy } from '../journal/entry.ts'
import type { ExampleRequest, ExampleResponse } from './question.ts'
import { listExampleRequests } from './questions.ts'
import { createSampleRequest, type ResourceJson } from './request.ts'
import type { ExampleWorld } from './stage.ts'

/** What an endpoint was asked and answered. */
export interface OperationResponses {
  /** The id of the endpoint. */
  readonly operation: string
  readonly sample: ResourceJson | undefined
  /** Each refusal once; what was carried out is the one named `answer`. */
  readonly replies: readonly ExampleResponse[]
  /** Every policy that one of the answers came from. */
  readonly policies: readonly JournalPolicy[]
}

/** Asks an endpoint everything. The stage is as before when it is done. */
export async function collectResponses(
  endpoint: Endpoint<never>,
  stage: ExampleWorld,
): Promise<OperationResponses> {
  const { simulator } = stage
  const policies = new Map<string, JournalPolicy>()
  const stop = simulator.journal.follow((entry) => {
    for (const policy of entry.policies) policies.set(policy.id, policy)
  })
  const proper = await createSampleRequest(endpoint, stage)
  policies.clear()
  const replies: ExampleResponse[] = []
  for (const question of listExampleRequests(endpoint, proper, stage)) {
    const reply = nameByError(await sendRequest(question, stage))
    const isCarriedOut = reply.status < 400 && question.name !== 'answer'
    const isNew = !replies.some((other) => isSameError(other, reply))
    if (!isCarriedOut && isNew) replies.push(reply)
  }
  stop()
  const order = (a: JournalPolicy, b: JournalPolicy) => (a.id < b.id ? -1 : 1)
  return {
    operation: endpoint.id,
    sample: proper.sample,
    replies,
    policies: [...policies.values()].sort(order),
  }
}

/** The same refusal: of a field by the same rule, or word for word. */
function isSameError(one: ExampleResponse, other: ExampleResponse): boolean {
  return one.status === other.status && (one.name === other.name || one.body === other.body)
}

async function sendRequest(
  question: ExampleRequest,
  { simulator }: ExampleWorld,
): Promise<ExampleResponse> {
  const { name, method, path, headers, body, prepare } = question
  const { settings } = simulator.policies
  const before = simulator.snapshot()
  prepare?.(simulator)
  const response = await simulator.fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const reply = {
    name,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
  if (prepare) {
    simulator.faults.clear()
    simulator.policies.set(settings)
  }
  simulator.restore(before)
  return reply
}

/** The refusal of a field is named by what is wrong with it. */
function nameByError(reply: ExampleResponse): ExampleResponse {
  const { attr, code } = parseError(reply.body)
  return attr && code ? { ...reply, name: `${attr}_${code}`.replace(/\W+/g, '_') } : reply
}

function parseError(body: string): { attr?: unknown; code?: unknown } {
  try {
    const read: unknown = JSON.parse(body)
    const error: unknown = Array.isArray(read) ? read[0] : read
    return typeof error === 'object' && error !== null ? error : {}
  } catch {
    return {}
  }
}
