import { LatestMap } from '../utils/latest-map.ts'
import { parseQuery, writeQuery } from '../utils/query.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import { repeatedRow, skippedRow } from './page-rules.ts'
import type { Breach, Watch } from './rule.ts'

/**
 * Finds offsets to which no page leads that the client had read: neither a link, nor the number of rows that came, nor a
 * limit of its own that the API kept to. A client that changes rows may count them itself.
 */
export class ComputedOffsets implements Watch {
  readonly #found: Breach[] = []
  /** By client and list */
  readonly #lists = new LatestMap<string, ReadPages>(100)

  see(request: ClientRequest): void {
    const { client, page } = request
    if (request.changes.length > 0) {
      for (const list of this.#lists.values()) if (list.client === client) list.latest = null
    }
    if (page) this.#add(request, page)
  }

  breaches(): readonly Breach[] {
    return this.#found
  }

  #add(request: ClientRequest, page: ListPage): void {
    const { client, listAddress, query } = request
    const name = `${client} ${listAddress}`
    const list = this.#lists.get(name) ?? { client, latest: null, lowered: new Set(), pages: [] }
    this.#lists.set(name, list)
    const [limit, offset] = [query.get('limit'), Number(query.get('offset') ?? 0)]
    if (request.record.ignored.some(({ why }) => why === 'lowered')) list.lowered.add(limit)
    const { latest } = list
    const isLimitKnown = limit !== undefined && !list.lowered.has(limit)
    const isOwn = isLimitKnown && offset % Number(limit) === 0
    if (latest && offset > 0 && !isOwn && !isLinked(list, request, offset)) {
      const { next } = latest.page as ListPage
      const isAhead = offset > Number(/[?&]offset=(\d+)/.exec(next ?? '')?.[1])
      // A client that goes back reads rows again on purpose.
      const isBack = offset < (list.pages.at(-1)?.offset ?? 0)
      if (isAhead || (!isBack && isRepeated(list, page))) {
        const reason = isLimitKnown
          ? '.'
          : ': the default limit and the largest one are not documented.'
        this.#found.push({
          rule: isAhead ? skippedRow : repeatedRow,
          subject: name,
          message: `The client computed ${positionIn(request.address)}, and \`next\` was ${positionIn(next ?? '')}.`,
          cure: `Follow \`next\`${reason}`,
          requests: [latest, request],
        })
        if (this.#found.length > maxFound) this.#found.shift()
      }
    }
    list.pages.push({ ...page, offset })
    if (list.pages.length > maxPages) list.pages.shift()
    if (page.next !== null) list.latest = request
  }
}

const maxFound = 1_000
const maxPages = 1_000

/** The pages of a list that a client read, the latest last. */
interface ReadPages {
  readonly client: string
  /** The latest one that has a next one, unless the client has changed rows since */
  latest: ClientRequest | null
  /** Limits that the API lowered */
  readonly lowered: Set<string | undefined>
  readonly pages: (ListPage & { readonly offset: number })[]
}

/** Whether a page leads to a request: by a link, or by the number of its rows. An empty page ends at its own offset. */
function isLinked({ pages }: ReadPages, { address }: ClientRequest, offset: number): boolean {
  const leading = pages.findLast(({ next, previous, rows, offset: start }) => {
    const isNext = rows.length > 0 && start + rows.length === offset
    return isNext || next === address || previous === address
  })
  return leading !== undefined
}

/** Whether a row of a page was on one since the latest first one. */
function isRepeated({ pages }: ReadPages, { rows, previous }: ListPage): boolean {
  if (previous === null) return false
  const first = pages.findLastIndex((page) => page.previous === null)
  const ids = new Set(
    pages.slice(Math.max(0, first)).flatMap((page) => page.rows.map(({ id }) => id)),
  )
  return rows.some(({ id }) => ids.has(id))
}

/** @returns the limit and the offset of an address. Other parameters can be secret */
function positionIn(address: string): string {
  const query = parseQuery(address.slice(address.indexOf('?') + 1))
  const position = [...query].filter(([name]) => name === 'limit' || name === 'offset')
  return `?${writeQuery(position)}`
}
