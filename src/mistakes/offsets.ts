import { isLoweredLimit } from '../http/ignored-input.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import { LatestMap } from './latest-map.ts'
import { repeatedRow, skippedRow } from './page-rules.ts'
import type { Breach, Watch } from './rule.ts'

/**
 * Finds offsets to which no page leads that the client had read: neither a link, nor the number of rows that came, nor a
 * limit of its own that the API kept to. A client that changes rows may count them itself.
 */
export class ComputedOffsets implements Watch {
  readonly #found: Breach[] = []
  /** By client and list: the latest page that has a next one */
  readonly #latest = new LatestMap<
    string,
    { readonly request: ClientRequest; readonly next: string }
  >()
  /** By client and list: the ids since the first page */
  readonly #shown = new LatestMap<string, Set<unknown>>(100)
  /** By client: addresses that a page leads to; by client and list: offsets behind its rows, and lowered limits */
  readonly #links = new LatestMap<string, true>(maxKept)
  readonly #ends = new LatestMap<string, true>(maxKept)
  readonly #lowered = new LatestMap<string, true>()

  see(request: ClientRequest): void {
    const { entry, client, page } = request
    if (entry.changes.length > 0) {
      for (const [name, known] of this.#latest) {
        if (known.request.client === client) this.#latest.delete(name)
      }
    }
    if (page) this.#add(request, page)
  }

  breaches(): readonly Breach[] {
    return this.#found
  }

  #add(request: ClientRequest, page: ListPage): void {
    const { entry, client, listAddress, address } = request
    const { limit, offset = '0' } = entry.query
    const name = `${client} ${listAddress}`
    const isRepeated = this.#addRows(name, page)
    // An empty page ends at its own offset, to which it does not lead.
    const isLinked = this.#links.has(`${client} ${address}`) || this.#ends.has(`${name} ${offset}`)
    if (page.rows.length > 0) this.#ends.set(`${name} ${Number(offset) + page.rows.length}`, true)
    if (entry.ignored.some(isLoweredLimit)) this.#lowered.set(`${name} ${limit}`, true)
    const isLimitKnown = limit !== undefined && !this.#lowered.has(`${name} ${limit}`)
    const isOwn = isLimitKnown && Number(offset) % Number(limit) === 0
    const known = this.#latest.get(name)
    const isAhead = known && Number(offset) > Number(/[?&]offset=(\d+)/.exec(known.next)?.[1])
    if (known && Number(offset) > 0 && !isLinked && !isOwn && (isAhead || isRepeated)) {
      const reason = isLimitKnown
        ? '.'
        : ': the default limit and the largest one are not documented.'
      this.#found.push({
        rule: isAhead ? skippedRow : repeatedRow,
        subject: name,
        message: `The client computed ${queryOf(address)}, and \`next\` was ${queryOf(known.next)}.`,
        cure: `Follow \`next\`${reason}`,
        requests: [known.request, request],
      })
      if (this.#found.length > maxFound) this.#found.shift()
    }
    const { next, previous } = page
    for (const link of [next, previous]) if (link) this.#links.set(`${client} ${link}`, true)
    if (next !== null) this.#latest.set(name, { request, next })
  }

  /** @returns whether a row was on a page since the first one */
  #addRows(name: string, { rows, previous }: ListPage): boolean {
    const ids = (previous !== null && this.#shown.get(name)) || new Set()
    const isRepeated = rows.some(({ id }) => ids.has(id))
    for (const { id } of rows) ids.add(id)
    this.#shown.set(name, ids)
    return isRepeated
  }
}

const maxKept = 10_000
const maxFound = 1_000

function queryOf(address: string): string {
  return address.slice(address.indexOf('?'))
}
