import {
  Annotations,
  inVersion,
  search,
  serializeAnnotation,
  visibleLists,
} from '../api/annotations/annotations.ts'
import type { ApiResponse, WrittenText } from '../http/messages.ts'
import type { JsonText } from '../utils/json.ts'
import { type ByteCache, EncodedPage, EncodedRows, JsonPage, Slice } from '../utils/json-page.ts'
import { finishBetweenEvents, type Steps } from '../utils/steps.ts'
import { nextTurn } from '../utils/wait.ts'
import { searchInSteps } from '../world/table/search-in-steps.ts'
import type { RequestEvent, Stage } from './pipeline.ts'
import type { Sandbox } from './sandbox.ts'

/** Longer pages are made while they are sent, with other requests in between. */
const maxRowsAtOnce = 8_192

/** How many rows are made at once: about half a millisecond. */
const sliceSize = 512

/** Lets other requests run while a long page is made, and while a list is searched for the first time. */
export function serveLargeLists(sandbox: Sandbox): void {
  Object.assign(sandbox.world, { annotations: new LargeAnnotations(sandbox) })
  const stage: Stage = (event, next) => {
    if (event.route.endpoint.id !== 'listAnnotations') return next(event)
    const respond = (): ApiResponse | Promise<ApiResponse> => {
      // Breakpoints and faults may return a promise.
      const response = next(event) as ApiResponse | Promise<ApiResponse>
      return response instanceof Promise ? response.then(measured) : measured(response)
    }
    const steps = firstSearch(event, sandbox)
    return steps ? finishBetweenEvents(steps).then(respond) : respond()
  }
  sandbox.pipeline.use('lists', stage)
}

/** The steps of a search in a long list. The list keeps its results, so that the request itself finds them soon. */
function firstSearch({ route, request }: RequestEvent, sandbox: Sandbox): Steps<void> | null {
  if (!request.query.includes('search')) return null
  const { tables, policyTracker } = sandbox
  const project = tables.projects.get(Number(route.params.project_id))
  if (!project || tables.annotations.size <= maxRowsAtOnce) return null
  const settings = policyTracker.untracked
  const text = new URLSearchParams(request.query).getAll('search').at(-1) ?? null
  const names = visibleLists(project, settings)
  return searchInSteps(
    names.map((name) => tables.annotations.list([name])),
    search.read(text, settings),
  )
}

class LargeAnnotations extends Annotations {
  readonly #sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    super(sandbox)
    this.#sandbox = sandbox
  }

  override list(
    ...[project, query]: Parameters<Annotations['list']>
  ): ReturnType<Annotations['list']> {
    if (query.limit <= maxRowsAtOnce) return super.list(project, query)
    const { tables, settings, cache } = this.#sandbox
    const { versioning } = settings
    // Later writes change neither the fork nor the length of the page.
    const rows = tables.annotations
      .fork()
      .list(visibleLists(project, settings))
      .search(query.search)
    const length = Math.min(query.limit, rows.size - query.offset)
    if (length <= maxRowsAtOnce) return super.list(project, query)
    const embedded = tables.embedded.current(tables)
    const embeddable = {
      organizations: tables.organizations.fork(),
      users: tables.users.fork(),
      dashboard_items: tables.dashboard_items.fork(),
    }
    const page = new LargeRows(cache, length, (from, count) =>
      rows
        .slice(query.offset + from, count)
        .map((entry) => inVersion(serializeAnnotation(entry, embeddable, embedded), versioning)),
    )
    return new Slice(page, rows.size, rows.at(query.offset - 1)?.row.id)
  }
}

/** The rows of a long page, which are made whenever they are read. */
class LargeRows<T> extends EncodedPage<T> {
  readonly #length: number
  readonly #read: (from: number, count: number) => JsonText<T>[]

  /** @param read reads some rows */
  constructor(
    cache: ByteCache,
    length: number,
    read: (from: number, count: number) => JsonText<T>[],
  ) {
    super([], cache)
    this.#length = length
    this.#read = read
  }

  /** The length of the list in bytes, in steps. */
  *measure(): Steps<number> {
    let bytes = 1
    for (const rows of this.#slices()) {
      for (const row of rows) bytes += row.bytes + 1
      yield
    }
    return bytes
  }

  /** The bytes between the brackets, in slices. */
  *pieces(): Generator<Uint8Array, undefined> {
    let isFirst = true
    for (const rows of this.#slices()) {
      yield new EncodedRows(rows).bytes.subarray(isFirst ? 1 : 0)
      isFirst = false
    }
  }

  override chunks(): Uint8Array[] {
    return [...this.pieces()]
  }

  *#slices(): Generator<JsonText<T>[], undefined> {
    for (let from = 0; from < this.#length; from += sliceSize) {
      yield this.#read(from, Math.min(sliceSize, this.#length - from))
    }
  }
}

/** Measures the body of a long page, and sends it in slices. Any other response stays. */
function measured(response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const { body } = response
  if (!(body instanceof JsonPage) || !(body.rows instanceof LargeRows)) return response
  const { rows } = body
  return finishBetweenEvents(rows.measure()).then((bytes) => ({
    ...response,
    body: new LargePage(body, rows, body.bytes - rows.bytes + bytes),
  }))
}

const encoder = new TextEncoder()

/** The body of a long page. A transport that sends it does not hold its text. */
class LargePage implements WrittenText, AsyncIterable<Uint8Array> {
  readonly bytes: number
  readonly #page: JsonPage<unknown>
  readonly #rows: LargeRows<unknown>

  constructor(page: JsonPage<unknown>, rows: LargeRows<unknown>, bytes: number) {
    this.#page = page
    this.#rows = rows
    this.bytes = bytes
  }

  get text(): string {
    return this.#page.text
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    yield encoder.encode(`${this.#page.head}[`)
    for (const piece of this.#rows.pieces()) {
      yield piece
      await nextTurn()
    }
    yield encoder.encode(']}')
  }
}
