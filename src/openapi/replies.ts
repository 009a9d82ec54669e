import type { Endpoint } from '../http/endpoint.ts'
import type { ShownPolicy } from '../journal/entry.ts'
import type { Question, Reply } from './question.ts'
import { questionsOf } from './questions.ts'
import { properRequest, type Row } from './request.ts'
import type { Stage } from './stage.ts'

/** What an endpoint was asked and answered. */
export interface Replies {
  /** The id of the endpoint. */
  readonly operation: string
  readonly sample: Row | undefined
  /** Each refusal once; what was carried out is the one named `answer`. */
  readonly replies: readonly Reply[]
  /** Every policy that one of the answers came from. */
  readonly policies: readonly ShownPolicy[]
}

/** Asks an endpoint everything. The stage is as before when it is done. */
export async function repliesOf(endpoint: Endpoint<never>, stage: Stage): Promise<Replies> {
  const { simulator } = stage
  const policies = new Map<string, ShownPolicy>()
  const stop = simulator.journal.follow((entry) => {
    for (const policy of entry.policies) policies.set(policy.id, policy)
  })
  const proper = await properRequest(endpoint, stage)
  policies.clear()
  const replies: Reply[] = []
  for (const question of questionsOf(endpoint, proper, stage)) {
    const reply = named(await ask(question, stage))
    const isCarriedOut = reply.status < 400 && question.name !== 'answer'
    const isNew = !replies.some((other) => isAlike(other, reply))
    if (!isCarriedOut && isNew) replies.push(reply)
  }
  stop()
  const order = (a: ShownPolicy, b: ShownPolicy) => (a.id < b.id ? -1 : 1)
  return {
    operation: endpoint.id,
    sample: proper.sample,
    replies,
    policies: [...policies.values()].sort(order),
  }
}

/** The same refusal: of a field by the same rule, or word for word. */
function isAlike(one: Reply, other: Reply): boolean {
  return one.status === other.status && (one.name === other.name || one.body === other.body)
}

async function ask(question: Question, { simulator }: Stage): Promise<Reply> {
  const { name, method, path, headers, body, given } = question
  const { settings } = simulator.policies
  const before = simulator.snapshot()
  given?.(simulator)
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
  if (given) {
    simulator.faults.clear()
    simulator.policies.set(settings)
  }
  simulator.restore(before)
  return reply
}

/** The refusal of a field is named by what is wrong with it. */
function named(reply: Reply): Reply {
  const { attr, code } = errorIn(reply.body)
  return attr && code ? { ...reply, name: `${attr}_${code}`.replace(/\W+/g, '_') } : reply
}

function errorIn(body: string): { attr?: unknown; code?: unknown } {
  try {
    const read: unknown = JSON.parse(body)
    const error: unknown = Array.isArray(read) ? read[0] : read
    return typeof error === 'object' && error !== null ? error : {}
  } catch {
    return {}
  }
}
