import type { OperationExamples, ResponseExamples } from './examples.ts'
import { type DescribedPolicy, describePolicies } from './policies.ts'
import type { SharedExamples } from './shared.ts'

type MediaTypes = Readonly<Record<string, object>>

/** An operation of a document, as far as it is written on in. */
export interface OpenApiOperation {
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
export function addExamples(
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
