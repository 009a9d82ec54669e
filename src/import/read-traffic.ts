import { endpointOf } from '../api/endpoints.ts'
import { type Exchange, type ExchangedMessage, findHeader } from '../http/exchange.ts'
import { isSuccess, parseInteger } from '../http/messages.ts'
import { Address, readRows, type SeenRequest } from '../mistakes/seen-request.ts'
import { isRequestStep, type RequestStep } from '../scenarios/format/scenario.ts'
import { type HiddenExchange, type Hider, KeyLabeler } from '../scenarios/recording/hide.ts'
import {
  type RecorderOptions,
  recordSteps,
  type StepWarning,
} from '../scenarios/recording/recorder.ts'
import { measureThrottling } from '../scenarios/recording/throttling.ts'
import { guessBaseUrl, operationOf } from '../scenarios/recording/to-step.ts'
import { isObject, readJsonBody } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'
import { foreignOrigin } from '../utils/network.ts'
import { parseUuid } from '../utils/python.ts'
import { mask } from '../utils/redaction/names.ts'
import { uuidFromNumber } from '../utils/seeded-random.ts'
import { formatIsoTime } from '../world/clock/clock.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import type { ListName } from '../world/tables.ts'
import { readRequest, withParent } from './archived-request.ts'
import { type DraftRow, HiddenValues, writtenValue } from './draft-rows.ts'
import { RowsSeen, type SeenLists } from './rows-seen.ts'
import {
  findDoubleCreates,
  findRefusedAtOnce,
  findUpdatesAtOnce,
  inProcessedOrder,
  measureSkew,
  startOf,
} from './timing.ts'

/** Exchanges, and what they say about the service. Secrets are replaced in all of it. */
export type ReadTraffic = ReturnType<typeof readTraffic>

/** Reads exchanges: completes what an exporter left out, tells clients apart, and replaces secrets. */
export function readTraffic(
  exchanges: readonly Exchange[],
  { baseUrl, keys, keep, redact }: RecorderOptions,
  hider?: Hider,
) {
  const madeUp = new HiddenValues()
  const labeler = new KeyLabeler(keys)
  const filled: number[] = []
  const deleted = new Set<unknown>()
  const named = withMadeUpIds(withTextIds(exchanges), madeUp).map((exchange, at) => {
    const shown = withoutHiddenFields(exchange)
    const completed = withSentFields(shown, deleted)
    if (completed !== shown) filled.push(at)
    return isKeyHidden(completed) ? completed : labeler.withLabel(completed)
  })
  const labelled = withoutRefusedKeys(withLeftOutKeys(named))
  const mixed = labelled.flatMap((exchange, at) => {
    const { key, request, response } = exchange
    const isBare = findHeader(request.headers, 'authorization') === undefined
    return (isBare ? key : isKeyHidden(exchange)) && [401, 403].includes(response.status) ? at : []
  })
  const { exchanges: told, warnings } = tellClientsApart(labelled)
  const items = told.map((exchange) => ({ exchange }))
  const base = baseUrl ?? guessBaseUrl(exchanges[0]?.url ?? '')
  const elsewhere = new Set<string>()
  const mend = (shown: HiddenExchange) => {
    fillHidden(shown, madeUp)
    mendLinks(shown, base, elsewhere)
  }
  const recorded = recordSteps(items, { baseUrl, keys, keep, redact }, { hider, mend })
  const requests = resolveCurrent(inProcessedOrder(recorded.exchanges.map(readRequest)))
  const skew = measureSkew(requests)
  const updates = findUpdatesAtOnce(requests)
  const atOnce = updates.inOrder.filter((id) => !filled.includes(id))
  const delays = new Map([
    ...findDoubleCreates(requests),
    ...updates.delays,
    ...findRefusedAtOnce(requests),
  ])
  const [first] = requests
  const indexOf = new Map(recorded.stepOf.map((step, index) => [step, index]))
  const hidden = recorded.exchanges.map(({ exchange }) => exchange)
  const seen: SeenLists = {
    annotations: new RowsSeen('annotations', requests, skew),
    plugins: new RowsSeen('plugins', requests, skew),
  }
  return {
    /** In the order in which the service processed the requests */
    requests,
    /** The steps that send them, by their ids. Null if none can */
    steps: recorded.stepOf.map((at): RequestStep | null => {
      const step = recorded.steps[at ?? -1]
      return step && isRequestStep(step) ? step : null
    }),
    /** Those of the requests, safe to print and to store */
    exchanges: requests.map(({ record }) => hidden[record.id] as Exchange),
    seen,
    base,
    skew,
    /** How long a test delays creates that were sent twice, and overtaken updates, by their ids */
    delays,
    /** The time of the first request by the clock of the service, in whole seconds */
    clock: first && formatIsoTime(Math.floor(startOf(first, skew?.median ?? 0) / 1000) * 1000),
    throttling: measureThrottling(
      requests.map(({ record }) => record),
      hidden,
    ),
    /** What the steps leave out, and what in them is made up, by the indexes of the requests */
    warnings: [
      ...recorded.warnings.map(({ text, steps }) => {
        return { text, steps: steps.flatMap((step) => indexOf.get(step) ?? []) }
      }),
      ...[
        { text: notRecorded, steps: filled },
        { text: keysHidden, steps: mixed },
        { text: sentAtOnce, steps: atOnce },
      ].filter(({ steps }) => steps.length > 0),
      ...[...madeUp.warnings, ...warnings, ...elsewhere].map((text) => ({ text, steps: [] })),
    ] as readonly StepWarning[],
  } as const
}

const notRecorded =
  'Sent with the fields of the response, because the body of the request was not recorded: {steps}.'

/** Whether a sanitizer wrote the same text in the place of each key, or nothing. */
function isKeyHidden({ request: { headers } }: Exchange) {
  const header = findHeader(headers, 'authorization')
  return header === '' || mask.test(header?.replace(/^Bearer /i, '') ?? '')
}

const sentAtOnce =
  'Sent before the last update of the row had its response, with another value: {steps}. Which is carried out last is chance.'

const keysHidden =
  'Refused, and the archive hides the key: {steps}. Requests of several keys cannot be told apart.'

/** Lets the links of a page lead to its own address: proxies write another one. @param elsewhere gets a sentence about others */
function mendLinks({ exchange, received }: HiddenExchange, base: string, elsewhere: Set<string>) {
  const page = received?.value
  if (!isObject(page) || !Array.isArray(page.results)) return
  const [own = ''] = exchange.url.split(/[?#]/)
  for (const name of ['next', 'previous']) {
    const [address = '', ...query] = String(page[name] ?? '').split('?')
    const origin = foreignOrigin(address, base)
    if (origin !== null)
      elsewhere.add(
        `Links of pages lead to ${origin}, and the requests went to ${new URL(base).origin}: a client that follows them leaves the service.`,
      )
    if (address !== '' && address.endsWith(own.slice(base.length)))
      page[name] = [own, ...query].join('?')
  }
}

const parentInPath = /\/api\/(projects|organizations)\/([^/?#]+)\/(?:annotations|plugins)\b/

/** Marks the ids as masked that a sanitizer replaced with other numbers: those of paths are left, and differ. */
function withTextIds(exchanges: readonly Exchange[]) {
  const isMasked = exchanges.some((exchange) => {
    const { row } = new Address(exchange.url)
    const [shown] =
      row && isSuccess(exchange.response.status) ? readRows(jsonOf(exchange.response)) : []
    return row && typeof shown?.id === 'number' && shown.id !== row.id
  })
  const asText = (exchange: Exchange): Exchange =>
    JSON.parse(JSON.stringify(exchange).replace(/(\\"id\\": ?)(\d+)/g, '$1\\"id $2\\"'))
  return isMasked ? exchanges.map(asText) : exchanges
}

/** Puts ids in the place of masked ones of projects, organizations and rows, which the service accepted. */
function withMadeUpIds(exchanges: readonly Exchange[], { names }: HiddenValues) {
  const ids = new Map<string, string>()
  const shown = new Set(exchanges.map(({ url }) => parentInPath.exec(url)?.[2]))
  let id = 0
  for (const { url, response } of exchanges) {
    const [, list, written = '@current'] = parentInPath.exec(url) ?? []
    const isKnown = written === '@current' || Number(written) || parseUuid(written)
    if (isKnown || ids.has(written) || !isSuccess(response.status)) continue
    do id += 1
    while (shown.has(String(id)))
    ids.set(written, list === 'projects' ? String(id) : uuidFromNumber(id))
    names.add(`id of ${list}`)
  }
  const rows = numberMaskedRows(exchanges)
  for (const [written, number] of rows) ids.set(written, String(number))
  if (rows.size > 0) names.add('id of rows')
  if (ids.size === 0) return exchanges
  const idInText = /(\/|organization_id\\":\\")([^/\\"?#]+)(?=[/\\"?#])/g
  const withId = (_: string, start: string, written: string) =>
    start + (ids.get(written) ?? written)
  const idOfRow = /(\\"id\\": ?)\\"([^\\"]+)\\"/g
  const withNumber = (text: string, start: string, written: string) =>
    ids.has(written) ? start + ids.get(written) : text
  return exchanges.map((exchange): Exchange => {
    const text = JSON.stringify(exchange).replace(idInText, withId)
    return JSON.parse(text.replace(idOfRow, withNumber))
  })
}

const maskedId = /"id": ?"(?!\d+")/

/** Numbers for the masked ids of rows: those of paths, and else any in the order of creation, as ids are counted up. */
function numberMaskedRows(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  const numbers = new Map<string, number>()
  for (const exchange of exchanges) {
    const { response } = exchange
    if (!isSuccess(response.status) || !maskedId.test(textOf(response))) continue
    const { list } = endpointOf(operationOf(exchange)) ?? {}
    const rows = list === 'annotations' || list === 'plugins' ? readRows(jsonOf(response)) : []
    for (const row of list === 'plugins' ? rows : rows.toReversed())
      for (const { id, created_at } of [Object(row.created_by), row])
        if (typeof id === 'string' && !mask.test(id) && !times.has(id))
          times.set(id, Date.parse(String(created_at)) || 0)
    const { row } = new Address(exchange.url)
    const [{ id } = { id: 0 }] = rows
    if (row && typeof id === 'string') numbers.set(id, row.id)
  }
  const taken = new Set(numbers.values())
  let last = 0
  for (const [id] of [...times].sort(([, a], [, b]) => a - b)) {
    last = Math.max(last, numbers.get(id) ?? 0)
    if (numbers.has(id)) continue
    do last += 1
    while (taken.has(last))
    numbers.set(id, last)
  }
  return numbers
}

function resolveCurrent(requests: readonly SeenRequest[]) {
  const successes = requests.filter(({ status }) => isSuccess(status))
  const projects = successes.flatMap(({ list, parent, rows }) =>
    list === 'projects' ? rows.map(({ id }) => Number(id)) : (parseInteger(parent) ?? []),
  )
  const [project = 1] = projects.sort((a, b) => a - b)
  const [organization = '@current'] = successes
    .filter(({ list, parent }) => list === 'plugins' && parent === '@current')
    .flatMap(({ rows }) => rows.flatMap((row) => parseUuid(String(row.organization_id)) ?? []))
  return requests.map((request) => {
    const parent = request.list === 'plugins' ? organization : String(project)
    return request.parent === '@current' ? withParent(request, parent) : request
  })
}

/** Adds the body that an archive lacks to a write: the fields of the row in its response. */
function withSentFields(exchange: Exchange, deleted: Set<unknown>) {
  const { request, response } = exchange
  const { body, headers } = request
  const isOmitted = body !== null && 'omitted' in body
  if ((body !== null && !isOmitted) || !isSuccess(response.status)) return exchange
  const { list, verb } = endpointOf(operationOf(exchange)) ?? {}
  const isOfFields = verb === 'create' || verb === 'update' || verb === 'replace'
  const row = isOfFields && jsonOf(response)
  if (!isObject(row) || !('id' in row) || !list) return exchange
  // A service that got no fields has no content to show.
  const isAnnounced = isOmitted || (verb === 'create' && (row.content ?? row.name ?? null) !== null)
  if (!isAnnounced) return exchange
  const { stored } = entities[list] as Entity
  const fields = stored.flatMap((field): [string, unknown][] => {
    const { name, body } = field
    const value = row[name]
    const isUsual = name === 'deleted' && value === false && !deleted.delete(row.id)
    if (!body || value == null || isUsual) return []
    return [[name, writtenValue(field, value)]]
  })
  if (row.deleted === true) deleted.add(row.id)
  const others = headers.filter(([name]) => !/^content-type$/i.test(name))
  const added = [...others, ['content-type', 'application/json'] as const]
  const text = JSON.stringify(Object.fromEntries(fields))
  return { ...exchange, request: { headers: added, body: { text } } }
}

/** Leaves out what a sanitizer hid in a body that a service accepted, but for texts. */
function withoutHiddenFields(exchange: Exchange) {
  const { request, response } = exchange
  const sent = isSuccess(response.status) && jsonOf(request)
  if (!isObject(sent) || !mask.test(String(sent.date_marker))) return exchange
  const { date_marker: _, ...rest } = sent
  return { ...exchange, request: { ...request, body: { text: JSON.stringify(rest) } } }
}

/** Makes up the values that no world can have in the rows of a response, as it is parsed. */
function fillHidden({ exchange, received }: HiddenExchange, madeUp: HiddenValues) {
  const body = received?.value
  if (!isSuccess(exchange.response.status) || !isObject(body)) return
  const { list } = endpointOf(operationOf(exchange)) ?? {}
  const rows = list ? [body.results ?? body].flat().filter(isObject) : []
  const { row } = new Address(exchange.url)
  // A sanitizer leaves the id out of rows, not out of paths.
  if (row && 'content' in body) body.id ??= row.id
  for (const row of rows) madeUp.fill(list as ListName, row as DraftRow)
}

function textOf({ body }: ExchangedMessage) {
  return body && 'text' in body ? body.text : ''
}

function jsonOf(message: ExchangedMessage) {
  return readJsonBody(textOf(message))?.value
}

/** Gives a label to the requests whose key an export left out or masked. Most with a 401 had none. */
function withLeftOutKeys(exchanges: readonly Exchange[]) {
  const showsKeys = exchanges.some(({ key }) => typeof key === 'string')
  return exchanges.map((exchange) => {
    const { status } = exchange.response
    const isBare = findHeader(exchange.request.headers, 'authorization') === undefined
    const lacksKey = isSuccess(status) || isKeyHidden(exchange) || (isBare && !showsKeys)
    const isRefused = status === 401 && !saysUnknownKey(exchange)
    const isLeftOut = exchange.key === undefined && !isRefused && lacksKey
    return isLeftOut ? { ...exchange, key: 'key' } : exchange
  })
}

/** A key that the service never accepted is not in the derived world, so steps cannot name it. */
function withoutRefusedKeys(exchanges: readonly Exchange[]) {
  const accepted = new Set(
    exchanges.flatMap((exchange) =>
      exchange.response.status === 401 || saysUnknownKey(exchange) ? [] : (exchange.key ?? []),
    ),
  )
  return exchanges.map((exchange) => {
    const { key } = exchange
    return typeof key === 'string' && !accepted.has(key) ? { ...exchange, key: null } : exchange
  })
}

function saysUnknownKey({ response }: Exchange) {
  const isRefusal = response.status === 401 || response.status === 403
  const words = /"authentication_failed"|Authorization header is invalid/
  return isRefusal && words.test(textOf(response))
}

/** Gives the clients of one key a label each: pages, or user agents, that take turns. @returns also sentences */
function tellClientsApart(exchanges: readonly Exchange[]) {
  const hasPages = exchanges.some(({ page }) => page !== undefined)
  const clientOf = ({ page, request }: Exchange): string | undefined =>
    hasPages ? page : findHeader(request.headers, 'user-agent')
  const labels = new Map<string, string>()
  const warnings: string[] = []
  for (const [key, own] of groupBy(exchanges, (exchange) => exchange.key)) {
    for (const [at, names] of groupClients(own, clientOf).entries()) {
      if (!key || at === 0) continue
      const label = `${key}-client-${at + 1}`
      for (const name of names) labels.set(JSON.stringify([key, name]), label)
      warnings.push(
        `Several clients sent requests with the key ${key}. Those of ${names.join(' and ')} have the key ${label} here.`,
      )
    }
  }
  return {
    exchanges: exchanges.map((exchange) => {
      const label = labels.get(JSON.stringify([exchange.key, clientOf(exchange)]))
      return label === undefined ? exchange : { ...exchange, key: label }
    }),
    warnings,
  }
}

/** The names of each client: one after another, if they never take turns. */
function groupClients(
  exchanges: readonly Exchange[],
  clientOf: (exchange: Exchange) => string | undefined,
): (readonly string[])[] {
  const spans = [...groupBy(exchanges, clientOf)].flatMap(([name, own]) => {
    const times = own.map(({ at }) => Date.parse(at)).sort((a, b) => a - b)
    const [from = 0, until = from] = [times[0], times.at(-1)]
    return name === undefined ? [] : { name, from, until }
  })
  const clients: { readonly names: string[]; until: number }[] = []
  // Exporters sort entries by their end, too, or not at all.
  for (const { name, from, until } of spans.sort((a, b) => a.from - b.from)) {
    const same = clients.find((client) => client.until <= from)
    if (same) {
      same.names.push(name)
      same.until = until
    } else clients.push({ names: [name], until })
  }
  return clients.map(({ names }) => names)
}
