import type { OpenApiDocument } from '../adapters/openapi.ts'
import { endpoints } from '../endpoints.ts'
import { isEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { describeApi } from './description.ts'
import { examplesOf } from './examples.ts'
import { illustrated, type Operation } from './illustrated.ts'
import { type DescribedPolicy, describePolicy } from './policies.ts'
import { type Replies, repliesOf } from './replies.ts'
import { sharedExamples } from './shared.ts'
import { createStage } from './stage.ts'

/**
 * The OpenAPI 3.1 document of the API as the settings have it: what its endpoints say of themselves, and what
 * they answered when they were asked. The same bytes for the same settings.
 *
 * @example JSON.stringify(await apiDocument(settle('live')))
 */
export async function apiDocument(settings: PolicySettings): Promise<OpenApiDocument> {
  const document = describeApi(settings)
  const asked = await askAll(settings)
  const policies = describedPolicies(asked)
  const examples = new Map(asked.map((replies) => [replies.operation, examplesOf(replies)]))
  const shared = sharedExamples([...examples.values()])
  const illustrate = (operation: Operation): object => {
    const replies = asked.find((one) => one.operation === operation.operationId)
    return illustrated(operation, {
      examples: examples.get(operation.operationId),
      shared,
      policies: policies.filter(({ id }) => replies?.policies.some((one) => one.id === id)),
      isCommon: ({ id }) => asked.every((one) => one.policies.some((other) => other.id === id)),
    })
  }
  return {
    ...document,
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (operation) => illustrate(operation as Operation)),
    ),
    components: { ...document.components, examples: shared.examples },
    'x-policies': Object.fromEntries(policies.map(({ id, ...policy }) => [id, policy])),
  }
}

/** One after the other: they share a stage. */
async function askAll(settings: PolicySettings): Promise<Replies[]> {
  const stage = createStage(settings)
  const asked: Replies[] = []
  for (const endpoint of endpoints.filter((one) => isEnabled(one, settings))) {
    asked.push(await repliesOf(endpoint as never, stage))
  }
  return asked
}

/** Every policy that an answer came from, by its id. */
function describedPolicies(asked: readonly Replies[]): DescribedPolicy[] {
  const all = new Map(asked.flatMap(({ policies }) => policies).map((one) => [one.id, one]))
  return [...all.values()].map(describePolicy).sort((a, b) => (a.id < b.id ? -1 : 1))
}

function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
