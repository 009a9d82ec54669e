import { readFile } from 'node:fs/promises'
import type {
  Reason,
  ResponseReasons,
  SuggestedRequest,
} from '../analysis/reasons/response-reasons.ts'
import { requestTarget } from '../http/url.ts'
import type { Simulator } from '../simulator.ts'
import { unexpectedValue, unknownWord } from '../utils/errors.ts'
import { escapeControls } from '../utils/escape.ts'
import { unreadableFileError } from '../utils/files.ts'
import { createRequest } from '../utils/network.ts'
import { defineCommand } from './command.ts'
import type { Paint } from './command-context.ts'
import { flagsOf } from './flags.ts'
import { openSimulator } from './from-flags.ts'

const help = `
Examples:
  npx understudy-api explain DELETE /api/projects/1/annotations/1/
  npx understudy-api explain POST /api/projects/1/annotations/ --key annotation:read --body '{"content": "Launch"}'`

export default defineCommand({
  name: 'explain',
  summary: 'Send one request to a simulator in this process, and explain its response.',
  args: [
    ['<method>', 'such as GET'],
    ['<path>', 'the path and the query'],
  ],
  flags: {
    '--key <label>': 'the label or the value of a key (default: the first one)',
    '--no-key': 'send no key',
    '--body <text>': 'the body, sent as application/json; @file reads a file',
    '--all': 'also print settings that could not matter, headers, and every field with its rule',
    '--json': 'print JSON',
    ...flagsOf('explain'),
  },
  help,
  async run([method, path], { key, body, all, ...flags }, context) {
    const others = { fault: [], redact: [] }
    const simulator = await openSimulator({ ...flags, ...others })
    const value = findKey(key, simulator)
    const request = toRequest(method, path, value, await readBody(body))
    const response = await simulator.fetch(request)
    const text = await response.clone().text()
    const reasons = await simulator.explain(response)
    const shown = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text
    const title = `${request.method} ${path}`
    const format = all ? formatAll : formatReasons
    return { json: reasons, text: format(title, reasons, shown, context.paint) }
  },
})

/** @throws UsageError for a method or a body that no request can have */
function toRequest(
  method: string,
  pathOrUrl: string,
  key: string | null,
  body: string | undefined,
): Request {
  const path = /^https?:/.test(pathOrUrl) ? requestTarget(pathOrUrl) : pathOrUrl
  if (!path.startsWith('/'))
    throw unexpectedValue('read the path', 'a path that starts with /', path, `/${path}`)
  if (path.startsWith('/__admin'))
    throw unexpectedValue('read the path', 'a path of the API, such as /api/projects/', path)
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const parts = { method: method.toUpperCase(), headers, body: body ?? null }
  return createRequest(`http://localhost${path}`, parts)
}

/** @throws UsageError for a file that cannot be read */
async function readBody(text: string | undefined): Promise<string | undefined> {
  if (!text?.startsWith('@')) return text
  const file = text.slice(1)
  return readFile(file, 'utf8').catch((error) => Promise.reject(unreadableFileError(file, error)))
}

/** @param key the label or the value; false for --no-key @throws UsageError for an unknown key */
function findKey(key: string | boolean | undefined, { keys, defaults }: Simulator): string | null {
  if (key === false) return null
  if (typeof key !== 'string') return defaults.key
  const rows = keys.list()
  const row = rows.find(({ label, value }) => label === key || value === key)
  // The response to a key that does not exist can be explained, too.
  if (row || key.startsWith('phx_')) return row?.value ?? key
  const labels = rows.map(({ label }) => label)
  const expected = `one of ${labels.join(', ')}, or a value that starts with phx_`
  throw unknownWord('read --key', labels, key, null, expected)
}

/** What answers the question: what decided, what else shaped the response, and a request that succeeds. */
function formatReasons(
  title: string,
  reasons: ResponseReasons,
  body: string,
  paint: Paint,
): string {
  const { decided_by, settings, shaped_by } = reasons
  const others = settings.filter(({ id }) => shaped_by.includes(id) && id !== decided_by?.id)
  return [
    ...formatStart(title, reasons, paint),
    ...section(
      'What else shaped the response',
      [
        ...others.map(
          (each) =>
            `  ${nameOf(each, paint)}: ${each.sentence} ${paint('faint', `[${each.evidence}]`)}`,
        ),
      ],
      paint,
    ),
    ...formatBody(body, paint),
    '',
    paint('faint', 'With --all: every setting, and the documentation about it.'),
  ].join('\n')
}

/** Everything that is known about a response. */
function formatAll(title: string, reasons: ResponseReasons, body: string, paint: Paint): string {
  const { decided_by, settings } = reasons
  const others = settings.filter(({ id }) => id !== decided_by?.id)
  return [
    ...formatStart(title, reasons, paint),
    ...section(
      'Settings that the response depends on',
      others.flatMap((each) => formatRule(each, paint)),
      paint,
    ),
    ...formatBody(body, paint),
  ].join('\n')
}

function formatStart(
  title: string,
  { sentence, ignored, decided_by, would_succeed }: ResponseReasons,
  paint: Paint,
): string[] {
  const request = would_succeed ? formatRequest(would_succeed) : []
  return [
    `${paint('strong', title)}  ${sentence}`,
    ...section(
      'Ignored input',
      ignored.map((text) => `  ${text}`),
      paint,
    ),
    ...section('Decided by', decided_by === null ? [] : formatRule(decided_by, paint), paint),
    ...section('A request that succeeds', request, paint),
  ]
}

/** @param body what is printed of the body of the response */
function formatBody(body: string, paint: Paint): string[] {
  return section('Response body', body === '' ? [] : [`  ${escapeControls(body)}`], paint)
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint('strong', title), ...lines]
}

function nameOf({ id, value }: Reason, paint: Paint): string {
  return paint('name', `${id} = ${value}`)
}

function formatRule(reason: Reason, paint: Paint): string[] {
  const { sentence, evidence, source, documentation } = reason
  return [
    `  ${nameOf(reason, paint)}: ${sentence} ${paint('faint', `[${evidence}: ${source}]`)}`,
    ...documentation
      .filter((text) => text !== sentence)
      .map((text) => paint('faint', `    documentation: ${text}`)),
  ]
}

function formatRequest({ method, path, key, body }: SuggestedRequest): string[] {
  const suffix = key === null ? '' : ` with the key ${JSON.stringify(key.label ?? key.value)}`
  return [`  ${method} ${path}${suffix}`, ...(body === null ? [] : [`  ${JSON.stringify(body)}`])]
}
