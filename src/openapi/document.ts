import type { OpenApiDocument } from '../adapters/openapi.ts'
import { endpoints } from '../endpoints.ts'
import { isEndpointEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { describeApi } from './description.ts'
import { toExamples } from './examples.ts'
import { addExamples, type OpenApiOperation } from './illustrated.ts'
import { type DescribedPolicy, describePolicy } from './policies.ts'
import { collectResponses, type OperationResponses } from './replies.ts'
import { shareExamples } from './shared.ts'
import { createExampleWorld } from './stage.ts'

/**
 * The OpenAPI 3.1 document of the API as the settings have it: what its endpoints say of themselves, and what
 * they answered when they were asked. The same bytes for the same settings.
 *
 * @example JSON.stringify(await apiDocument(settle('live')))
 */
export async function createApiDocument(settings: PolicySettings): Promise<OpenApiDocument> {
  const document = describeApi(settings)
  const asked = await collectAllResponses(settings)
  const policies = collectPolicies(asked)
  const examples = new Map(asked.map((replies) => [replies.operation, toExamples(replies)]))
  const shared = shareExamples([...examples.values()])
  const illustrate = (operation: OpenApiOperation): object => {
    const replies = asked.find((one) => one.operation === operation.operationId)
    return addExamples(operation, {
      examples: examples.get(operation.operationId),
      shared,
      policies: policies.filter(({ id }) => replies?.policies.some((one) => one.id === id)),
      isCommon: ({ id }) => asked.every((one) => one.policies.some((other) => other.id === id)),
    })
  }
  return {
    ...document,
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (operation) => illustrate(operation as OpenApiOperation)),
    ),
    components: { ...document.components, examples: shared.examples },
    'x-policies': Object.fromEntries(policies.map(({ id, ...policy }) => [id, policy])),
  }
}

/** One after the other: they share a stage. */
async function collectAllResponses(settings: PolicySettings): Promise<OperationResponses[]> {
  const stage = createExampleWorld(settings)
  const asked: OperationResponses[] = []
  for (const endpoint of endpoints.filter((one) => isEndpointEnabled(one, settings))) {
    asked.push(await collectResponses(endpoint as never, stage))
  }
  return asked
}

/** Every policy that an answer came from, by its id. */
function collectPolicies(asked: readonly OperationResponses[]): DescribedPolicy[] {
  const all = new Map(asked.flatMap(({ policies }) => policies).map((one) => [one.id, one]))
  return [...all.values()].map(describePolicy).sort((a, b) => (a.id < b.id ? -1 : 1))
}

function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
