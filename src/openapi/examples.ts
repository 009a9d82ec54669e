import type { OperationResponses } from './replies.ts'

/** Examples by their name. */
type Examples = Readonly<Record<string, object>>

/** Every example of an operation: what to send, and what is answered with each status. */
export interface OperationExamples {
  readonly request: Examples | undefined
  readonly responses: Readonly<Record<string, ResponseExamples>>
}

export interface ResponseExamples {
  readonly examples: Examples
  /** By the names of the headers, besides those that every answer has. */
  readonly headers: Examples
}

const commonHeaders = ['content-type', 'content-length']

/** What was answered, as examples. */
export function toExamples({ sample, replies }: OperationResponses): OperationExamples {
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
