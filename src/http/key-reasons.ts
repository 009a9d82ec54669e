import { listWords } from '../utils/errors.ts'
import { parseQuery } from '../utils/query.ts'
import { isAlias } from '../utils/redaction/names.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { ApiWorld } from './endpoint.ts'
import { quote } from './failures.ts'
import { type ApiRequest, bodyText } from './messages.ts'

// Why a key is missing, unknown or not enough, in sentences. No sentence has more than the start of an unknown key.

/** @example nameKey(row) // 'the key `all`' */
export function nameKey({ value, label }: Pick<KeyRow, 'value' | 'label'>): string {
  return label === value ? 'the key' : `the key ${quote(label)}`
}

/** @example 'the key `none` lacks the scope annotation:read (it has an empty list of scopes)' */
export function describeScopes({ scopes }: Pick<KeyRow, 'scopes'>): string {
  if (!scopes?.length) return 'has an empty list of scopes'
  return scopes.includes('*') ? 'has all scopes' : `has ${scopes.join(', ')}`
}

const otherScheme = /^(?:basic|digest|token|oauth|api-?key|jwt|bearer):?(?=\s|$)/i
const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token']

/** Why a request has no key. @param field the name that a key has in a query or a body */
export function describeMissingKey(
  { headers, query, body }: Pick<ApiRequest, 'headers' | 'query' | 'body'>,
  { keys }: ApiWorld['tables'],
  field: string,
): string {
  const sent = headers.get('authorization')
  const authorization = sent?.trim() ?? ''
  if (authorization === '') {
    const header = otherHeaders.find((name) => headers.get(name))
    const isInBody = () => new RegExp(`"${field}"\\s*:|(^|&)${field}=`).test(bodyText(body))
    const isInQuery = parseQuery(query).has(field)
    const place = header ? `header ${header}` : isInQuery ? 'query' : isInBody() && 'body'
    const unread = place ? `, and the key in the ${place} is not read` : ''
    const what =
      sent === null ? 'request has no Authorization header' : 'Authorization header is empty'
    return `the ${what}${unread}`
  }
  if (authorization === 'Bearer') return 'the Authorization header has no key after `Bearer`'
  if (/^Bearer\s/.test(authorization)) return 'the key in the Authorization header is too short'
  const [scheme] = otherScheme.exec(authorization) ?? []
  if (scheme) return `the Authorization header has ${quote(scheme)} instead of \`Bearer\``
  const key = keys.get(authorization)
  return `the header has no \`Bearer \`${key ? ` before ${nameKey(key)}` : ''}`
}

/** Words that stand for a value that a program does not have. */
const missingValues = ['undefined', 'null', 'None', 'nil', '[object Object]']

/** How tools write a value that is to be filled in. What is in it can be a key, and is not shown. */
const placeholders: readonly (readonly [form: RegExp, shown: string])[] = [
  [/^\{\{.*\}\}$/s, '{{…}}'],
  [/^\$(?:\{.*\}|[A-Za-z_]\w*)$/s, '$…'],
  [/^%\w+%$/, '%…%'],
  [/^<.*>$/s, '<…>'],
  [/^\[.*\]$/s, '[…]'],
  [/^(?:YOUR|MY|your)[-_ ]?(?:\w+[-_ ])?(?:KEY|TOKEN|key|token)$/, 'your key'],
]

/** Why no key has the value that was sent. */
export function describeUnknownKey(
  { value, location }: { readonly value: string; readonly location: string },
  world: ApiWorld,
): string {
  const where = location === 'Authorization header' ? '' : ` (in the ${location})`
  if (missingValues.includes(value)) return `the key is the word ${quote(value)}${where}`
  const { keys } = world.tables
  const isLabel = [...keys.values()].some(({ label }) => label === value)
  if (isLabel) return `${quote(value)} is the label of a key, not its value${where}`
  // A body can have a key of megabytes.
  const parts = value.slice(0, 1_000).split(/%[\da-f]{2}|[^\w-]+/i)
  const [within] = parts.flatMap((text) => keys.get(text) ?? [])
  if (within) return `there is text around ${nameKey(within)}${where}`
  const [, form] = placeholders.find(([pattern]) => pattern.test(value)) ?? []
  if (form) return `the key is a placeholder (${form}) that was not filled in${where}`
  if (/^[*•x]+$/i.test(value))
    return `the key is a mask, as a log shows it in place of a key${where}`
  const isElsewhere = world.isTakenElsewhere(value)
  const former = isElsewhere ? undefined : world.formerKey(value)
  if (former !== undefined) {
    return `${nameKey({ value, label: former })} was revoked, or removed by a reset or another world${describeHidden(keys)}`
  }
  if (world.wasOfSandbox(value)) {
    return `the sandbox of the key was deleted, or has expired${where}`
  }
  if (value.startsWith('phc_')) {
    return `the key${where} is the token of a project (phc_…); the API takes a personal API key (phx_…)`
  }
  const characters = [...value.slice(0, 20)]
  const start = characters.slice(0, Math.min(5, characters.length / 2)).join('')
  const cure = location === 'body' ? ', which a key in a body does not select: use its URL' : ''
  const owner = isElsewhere ? `; the server or another sandbox has it${cure}` : describeHidden(keys)
  return `no key matches ${start}…${where}${owner}`
}

/** What to do where a recording replaced the keys. Empty for the keys of another world */
function describeHidden(keys: Tables['keys']) {
  const hidden = [...keys.values()].filter(({ value }) => isAlias(value))
  if (hidden.length === 0) return ''
  const labels = listWords(hidden.map(({ label }) => label))
  return `; the recording hides the values of ${labels}: give one to serve by --key LABEL=VALUE`
}
