import { maxRowsAtOnce, search, visibleLists } from '../api/annotations/annotations.ts'
import type { ApiResponse, WrittenText } from '../http/messages.ts'
import type { JsonText } from '../utils/json.ts'
import { EncodedRows, JsonPage, type PagePart } from '../utils/json-page.ts'
import type { Steps } from '../utils/steps.ts'
import { finishBetweenEvents, nextTurn } from '../utils/wait.ts'
import { searchInSteps } from '../world/edit/find-rows.ts'
import type { SortedRows } from '../world/table/ordered-list.ts'
import type { RequestEvent, Stage } from './pipeline.ts'
import type { Sandbox } from './sandbox.ts'

/** How many rows are made at once. */
const sliceSize = 512

/** The rows of a large page, which are made whenever they are read. */
export class LargeRows<R> implements PagePart {
  /** Unknown until the rows are measured. */
  readonly byteLength = Number.POSITIVE_INFINITY
  readonly memory = 0
  readonly #rows: Pick<SortedRows<R>, 'slice'>
  readonly #offset: number
  readonly #length: number
  readonly #serialize: (row: R) => JsonText<unknown>

  /** @param rows no write changes them */
  constructor(
    rows: Pick<SortedRows<R>, 'slice'>,
    offset: number,
    length: number,
    serialize: (row: R) => JsonText<unknown>,
  ) {
    this.#rows = rows
    this.#offset = offset
    this.#length = length
    this.#serialize = serialize
  }

  /** The length of the rows in bytes, each with its comma, in steps. */
  *measure(): Steps<number> {
    let bytes = 0
    for (const rows of this.#slices()) {
      for (const row of rows) bytes += row.bytes + 1
      yield
    }
    return bytes
  }

  /** The rows in slices, each row after its comma. */
  *pieces(): Generator<Uint8Array, undefined> {
    for (const rows of this.#slices()) yield new EncodedRows(rows).bytes
  }

  read(): Uint8Array {
    return new EncodedRows([...this.#slices()].flat()).bytes
  }

  *#slices(): Generator<JsonText<unknown>[], undefined> {
    for (let from = 0; from < this.#length; from += sliceSize) {
      const count = Math.min(sliceSize, this.#length - from)
      yield this.#rows.slice(this.#offset + from, count).map(this.#serialize)
    }
  }
}

const encoder = new TextEncoder()

/** The body of a large page. A transport that sends it does not hold its text. */
class LargePage implements WrittenText, AsyncIterable<Uint8Array> {
  readonly bytes: number
  readonly #page: JsonPage<unknown>
  readonly #rows: LargeRows<unknown>
  readonly #head: Uint8Array

  /** @param bytes the length of the rows */
  constructor(page: JsonPage<unknown>, rows: LargeRows<unknown>, bytes: number) {
    this.#page = page
    this.#rows = rows
    this.#head = encoder.encode(`${page.head}[`)
    // Two brackets follow the rows, and the first row is sent without its comma.
    this.bytes = this.#head.length + bytes + 1
  }

  get text(): string {
    return this.#page.text
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    yield this.#head
    let isFirst = true
    for (const piece of this.#rows.pieces()) {
      yield isFirst ? piece.subarray(1) : piece
      isFirst = false
      await nextTurn()
    }
    yield encoder.encode(']}')
  }
}

/** Measures the body of a large page, which is then sent in slices. Any other response stays. */
function measureLargePage(response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const { body } = response
  const [rows] = body instanceof JsonPage && 'cache' in body.rows ? body.rows.parts : []
  if (!(rows instanceof LargeRows)) return response
  return finishBetweenEvents(rows.measure()).then((bytes) => ({
    ...response,
    body: new LargePage(body as JsonPage<unknown>, rows, bytes),
  }))
}

/** Lets other requests run while a large page is measured, and while a list is searched for the first time. */
export function serveLargeLists(sandbox: Sandbox): void {
  sandbox.LargeRows = LargeRows
  const stage: Stage = (event, next) => {
    if (event.route.endpoint.id !== 'listAnnotations') return next(event)
    const respond = (): ApiResponse | Promise<ApiResponse> => {
      // Faults may return a promise.
      const response = next(event) as ApiResponse | Promise<ApiResponse>
      return response instanceof Promise
        ? response.then(measureLargePage)
        : measureLargePage(response)
    }
    const steps = firstSearch(event, sandbox)
    return steps ? finishBetweenEvents(steps).then(respond) : respond()
  }
  sandbox.pipeline.use('lists', stage)
}

/** The steps of a search in a long list. The request itself then finds their results. */
function firstSearch({ route, request }: RequestEvent, sandbox: Sandbox): Steps<void> | null {
  if (!request.query.includes('search')) return null
  const { tables, policyTracker } = sandbox
  const project = tables.projects.get(Number(route.params.project_id))
  if (!project || tables.annotations.size <= maxRowsAtOnce) return null
  const settings = policyTracker.untracked
  const text = new URLSearchParams(request.query).getAll('search').at(-1) ?? null
  return searchInSteps(tables, visibleLists(project, settings), search.read(text, settings))
}
