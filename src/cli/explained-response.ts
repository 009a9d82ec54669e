import type { Reason, ResponseReasons, SuggestedRequest } from '../simulator/response-reasons.ts'
import { escapeControls, shortList } from '../utils/text.ts'
import type { Paint } from './command-context.ts'

interface Explained {
  readonly title: string
  /** Which key was sent, if it is not the usual one, as a sentence */
  readonly key: string | null
  readonly reasons: ResponseReasons
  readonly body: string
}

/** In lines, and in characters */
const maxShown = { ignored: 3, body: 300 }

/** At most 15 lines: why the response is as it is, what decided, and a request that succeeds. */
export function formatReasons({ title, key, reasons, body }: Explained, paint: Paint) {
  const { status, sentence, ignored, decided_by, would_succeed } = reasons
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [paint('strong', heading), ...lines.map((line) => `  ${line}`)]
  const shown = body.length > maxShown.body ? `${body.slice(0, maxShown.body)}…` : body
  return [
    `${paint('strong', title)}  ${sentence}`,
    ...(key === null ? [] : [key]),
    ...section('Ignored input', shortList(ignored, maxShown.ignored)),
    ...section('Decided by', decided_by === null ? [] : formatRule(decided_by, paint)),
    ...section('A request that succeeds', status < 400 ? [] : formatRequest(would_succeed)),
    ...section('Response body', shown === '' ? [] : [escapeControls(shown)]),
  ].join('\n')
}

function formatRule({ id, value, sentence, evidence, source }: Reason, paint: Paint) {
  return [
    `${paint('name', `${id} = ${value}`)}: ${sentence}`,
    paint('faint', `[${evidence}: ${source}]`),
  ]
}

function formatRequest(request: SuggestedRequest | null) {
  if (request === null) return ['None is known that keeps what this one means.']
  const { method, path, key, body } = request
  const suffix = key === null ? '' : ` with the key ${JSON.stringify(key.label ?? key.value)}`
  return [`${method} ${path}${suffix}`, ...(body === null ? [] : [JSON.stringify(body)])]
}
