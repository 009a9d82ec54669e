import { inspectValue, UsageError } from './errors.ts'

/** A request as `fetch` takes it. */
interface RequestParts {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/**
 * Creates a request that `fetch` can send.
 *
 * @throws UsageError for a method, a header, a body or a URL that no request can have
 */
export function createSendableRequest(url: string, parts: RequestParts): Request {
  const problem = findProblem(parts)
  if (problem !== undefined) throw new UsageError(`This request cannot be sent: ${problem}`)
  const { method, headers, body } = parts
  try {
    return new Request(url, { method, headers, ...(body !== undefined && { body }) })
  } catch {
    throw new UsageError('This request cannot be sent: its URL is not valid.')
  }
}

/** The names of methods and headers. */
const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/

/** What a header can have besides visible characters: a space, a tab and characters of Latin-1. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

function findProblem({ method, headers, body }: RequestParts): string | undefined {
  if (!tokenPattern.test(method)) return `${inspectValue(method)} is not a method.`
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) return `fetch does not send ${method}.`
  if (body !== undefined && /^(?:GET|HEAD)$/i.test(method))
    return `fetch sends no body with ${method}. Leave out the body, or choose another method.`
  for (const [name, value] of Object.entries(headers)) {
    if (!tokenPattern.test(name)) return `${inspectValue(name)} is not the name of a header.`
    // The value can be secret.
    if (!valuePattern.test(value))
      return `the header ${name} has a character that no header can have.`
  }
  return undefined
}
