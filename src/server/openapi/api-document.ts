import type { OpenApiDocument } from '../../adapters/openapi/document.ts'
import { endpoints } from '../../api/endpoints.ts'
import { isEndpointEnabled } from '../../http/methods.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import type { PolicyValue } from '../../policies/policy.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import { describeApi } from './describe-api.ts'
import { collectResponses, type OperationResponses } from './example-responses.ts'
import { createExampleWorld } from './sample-request.ts'

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

type MediaTypes = Readonly<Record<string, object>>

/** An operation of a document, as far as it is written on in. */
interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly requestBody?: { readonly content: MediaTypes }
  readonly responses: Readonly<Record<string, { readonly content?: MediaTypes }>>
}

/** What is known of an operation besides what it says of itself. */
export interface OperationDetails {
  readonly examples: OperationExamples | undefined
  readonly shared: SharedExamples
  /** Those that its answers came from. */
  readonly policies: readonly DescribedPolicy[]
  /** Whether every operation goes by a policy; then it is not explained with each. */
  readonly isCommon: (policy: DescribedPolicy) => boolean
}

/** The same operation with examples of bodies and answers, and the policies that it goes by. */
function addExamples(
  { operationId, summary, requestBody, responses, ...rest }: OpenApiOperation,
  { examples, shared, policies, isCommon }: OperationDetails,
): object {
  const description = describePolicies(policies.filter((policy) => !isCommon(policy)))
  return {
    operationId,
    summary,
    ...(description && { description }),
    ...rest,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: addContentExamples(requestBody.content, examples?.request, shared),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        addResponseExamples(response, examples?.responses[status], shared),
      ]),
    ),
    'x-policies': policies.map(({ id, setting, evidence, source }) => ({
      id,
      setting,
      evidence,
      source,
    })),
  }
}

function addResponseExamples(
  response: OpenApiOperation['responses'][string],
  given: ResponseExamples | undefined,
  shared: SharedExamples,
): object {
  const { examples = {}, headers = {} } = given ?? {}
  return {
    ...response,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(response.content && { content: addContentExamples(response.content, examples, shared) }),
  }
}

/** The first media type has them: what others say is the same. */
function addContentExamples(
  content: MediaTypes,
  examples: Readonly<Record<string, object>> = {},
  shared: SharedExamples,
): MediaTypes {
  const written = Object.entries(examples).map(([name, one]) => [name, shared.reference(name, one)])
  if (written.length === 0) return content
  return Object.fromEntries(
    Object.entries(content).map(([type, media], index) => [
      type,
      index > 0 ? media : { ...media, examples: Object.fromEntries(written) },
    ]),
  )
}

/** Examples by their name. */
type Examples = Readonly<Record<string, object>>

/** Every example of an operation: what to send, and what is answered with each status. */
interface OperationExamples {
  readonly request: Examples | undefined
  readonly responses: Readonly<Record<string, ResponseExamples>>
}

interface ResponseExamples {
  readonly examples: Examples
  /** By the names of the headers, besides those that every answer has. */
  readonly headers: Examples
}

const commonHeaders = ['content-type', 'content-length']

/** What was answered, as examples. */
function toExamples({ sample, replies }: OperationResponses): OperationExamples {
  const responses: Record<
    string,
    { examples: Record<string, object>; headers: Record<string, object> }
  > = {}
  for (const { name, status, headers, body } of replies) {
    responses[status] ??= { examples: {}, headers: {} }
    const known = responses[status]
    if (body !== '') known.examples[name] = { value: parseJsonOrText(body) }
    for (const [header, value] of Object.entries(headers)) {
      if (commonHeaders.includes(header)) continue
      known.headers[header] ??= { schema: { type: 'string' }, example: value }
    }
  }
  return { request: sample && { request: { value: sample } }, responses }
}

/** A page of HTML is a text. */
function parseJsonOrText(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** Examples that several operations have in common, each written once and elsewhere referred to. */
interface SharedExamples {
  readonly examples: Readonly<Record<string, object>>
  /** What stands for an example: a reference, or itself. */
  reference(name: string, example: object): object
}

/** @param all the examples of every operation */
function shareExamples(all: readonly OperationExamples[]): SharedExamples {
  const texts = new Map<string, string[]>()
  for (const { request = {}, responses } of all) {
    const groups = [request, ...Object.values(responses).map(({ examples }) => examples)]
    for (const [name, example] of groups.flatMap((group) => Object.entries(group))) {
      texts.set(name, [...(texts.get(name) ?? []), JSON.stringify(example)])
    }
  }
  const isShared = (name: string): boolean => {
    const found = texts.get(name) ?? []
    return found.length > 1 && new Set(found).size === 1
  }
  const shared = [...texts].filter(([name]) => isShared(name))
  return {
    examples: Object.fromEntries(shared.map(([name, [text = '']]) => [name, JSON.parse(text)])),
    reference: (name, example) =>
      isShared(name) ? { $ref: `#/components/examples/${name}` } : example,
  }
}

/** A policy as documents show it: what it asks, how it is set, and why that is believed. */
interface DescribedPolicy extends JournalPolicy {
  readonly question: string
  readonly says: string
}

function describePolicy(policy: JournalPolicy): DescribedPolicy {
  const { question, values } = policies[policy.id as PolicyId]
  const known: Readonly<Record<string, PolicyValue>> = values
  return { ...policy, question, says: (known[policy.setting] ?? known.integer)?.says ?? '' }
}

/** The policies in words, for people. */
function describePolicies(described: readonly DescribedPolicy[]): string {
  const lines = described.map(
    ({ id, setting, question, says, evidence, source }) =>
      `- \`${id}\` is \`${setting}\`. ${question} ${says} (${evidence}: ${source})`,
  )
  return lines.length === 0
    ? ''
    : `What the API's document leaves open here:\n\n${lines.join('\n')}`
}
