/** How servers word their errors. */
export const styles = ['detail', 'fastapi', 'rails', 'problem'] as const
export type ErrorStyle = (typeof styles)[number]

/** An error. Its cause decides the words, and is no part of an answer. */
export class Refusal extends Error {
  readonly status: number
  readonly field: string | null

  constructor(status: number, words: string, field: string | null = null) {
    super(words)
    this.status = status
    this.field = field
  }
}

/** @param hasChallenge whether a 401 says how to log in */
export function showRefusal(
  { status, message, field }: Refusal,
  style: ErrorStyle,
  hasChallenge: boolean,
): Response {
  const headers: Record<string, string> = {}
  if (status === 401 && hasChallenge) headers['www-authenticate'] = 'Bearer'
  const respond = (body: unknown, shown = status): Response =>
    Response.json(body, { status: shown, headers })
  switch (style) {
    case 'detail':
      return respond({ detail: field ? `${field}: ${message}` : message })
    case 'fastapi':
      return status === 400
        ? respond({ detail: [{ loc: ['body', field], msg: message, type: 'value_error' }] }, 422)
        : respond({ detail: message })
    case 'rails':
      return respond({ errors: field ? { [field]: [message] } : [message] })
    case 'problem':
      return respond({ title: message, status, instance: '/errors/1', field })
  }
}
