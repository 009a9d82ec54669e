import { isSafeMethod } from '../../http/url.ts'
import type { ReceivedResponse, SentRequest, Target } from '../../scenarios/run/target.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import type { ObserverKey } from './requests.ts'

/** A row that a scenario tried to create. */
interface Creation {
  /** The URL of its list, as it was sent, without a query */
  readonly list: string
  readonly headers: SentRequest['headers']
  readonly texts: Texts
  /** As the response says. It may be the id of another row */
  readonly id: number | null
  /** Whether the server may have created the row although its response does not say so */
  readonly isUnconfirmed: boolean
}

/** The texts that tell rows apart. */
const textFields = ['content', 'name', 'description'] as const

/** As they were sent: a server may accept a value that is no text. */
type Texts = Readonly<Partial<Record<(typeof textFields)[number], unknown>>>
type Row = Readonly<Record<string, unknown>>

/** What became of the rows of a scenario. */
interface Removal {
  /** A sentence for each row that may be left */
  readonly left: readonly string[]
  /** Annotations that the server shows although they are soft-deleted */
  readonly softDeleted: readonly SoftDeleted[]
}

export interface SoftDeleted {
  readonly url: string
  /** The URL of its list */
  readonly list: string
  readonly id: number
}

/** A server returned the id of another row for a created one. The scenario must not change that row. */
export class OtherRowError extends Error {
  /** Says where, as a sentence */
  constructor(method: string, url: string) {
    super(
      `${method} ${url} was not sent: the server says that the scenario created this row, but it is another one.`,
    )
  }
}

/** The rows that a scenario creates, which are removed after it. */
export class CreatedRows {
  readonly #marker: string
  readonly #key: ObserverKey | undefined
  readonly #creations: Creation[] = []
  /** The texts that the scenario sent to a row, which it may have changed: by its list and id, in any project */
  readonly #changes = new Map<string, Texts[]>()
  /** The rows that the scenario changes, after a look at them. */
  readonly #own = new Set<string>()
  /** By URL */
  readonly #softDeleted = new Map<string, SoftDeleted>()
  #target: Target | null = null

  /**
   * @param marker a word that no other row contains. Some rows of the scenario do
   * @param key removes a row if the key that created it may not
   */
  constructor(marker: string, key?: ObserverKey) {
    this.#marker = marker
    this.#key = key
  }

  readonly watch = (target: Target): Target => {
    this.#target = target
    return {
      ...target,
      send: async (request, signal) => {
        const [url = ''] = request.url.split('?')
        const texts = textsOf(tryParseJson(String(request.body ?? ''))?.value)
        if (isSafeMethod(request.method)) return target.send(request, signal)
        if (request.method !== 'POST') {
          await this.#checkRow(request)
          this.#changes.set(rowOfPath(url), [...this.#changesOf(url), texts])
          return target.send(request, signal)
        }
        const { headers } = request
        const creation = { list: url, headers, texts, id: null, isUnconfirmed: true }
        const response = await target.send(request, signal).catch((error) => {
          this.#creations.push(creation)
          throw error
        })
        const id = idOf(response)
        const { status, broken } = response
        const isUnconfirmed = broken || status >= 500 || (status < 300 && id === null)
        this.#creations.push({ ...creation, id, isUnconfirmed })
        return response
      },
    }
  }

  /**
   * Removes the rows that the server shows at their ids, and those that have the marker. It leaves a row with other texts
   * than the scenario sent, because a server may return the id of another user's.
   */
  async remove(): Promise<Removal> {
    const left: string[] = []
    for (const creation of this.#creations) {
      if (creation.id !== null) left.push(...(await this.#removeShown(creation, creation.id)))
      else if (creation.isUnconfirmed && !this.#isMarked(creation)) left.push(describe(creation))
    }
    const marked = this.#creations.filter((creation) => this.#isMarked(creation))
    for (const list of new Set(marked.map((creation) => creation.list))) {
      const [creation] = marked.filter((each) => each.list === list) as [Creation]
      left.push(...(await this.#removeMarked(creation)))
    }
    return { left, softDeleted: [...this.#softDeleted.values()] }
  }

  /**
   * Looks at a row before its first change.
   *
   * @throws OtherRowError if it does not have the texts with which the scenario created it
   */
  async #checkRow({ method, url: sentUrl, headers }: SentRequest): Promise<void> {
    const [url = ''] = sentUrl.split('?')
    if (this.#own.has(rowOfPath(url))) return
    const creation = this.#creations.find(
      ({ list, id }) => id !== null && rowOfPath(rowUrl(list, id)) === rowOfPath(url),
    )
    if (!creation) return
    const row = rowOf(await this.#send({ method: 'GET', url, headers }))
    if (row !== null && !this.#isOwn(row, creation, url)) throw new OtherRowError(method, url)
    if (row !== null) this.#own.add(rowOfPath(url))
  }

  #isOwn(row: Row, { texts }: Creation, url: string): boolean {
    if (this.#own.has(rowOfPath(url))) return true
    const sent = [texts, ...this.#changesOf(url)]
    return textFields.every((name) => isSent(row[name], sent, name))
  }

  #isMarked({ texts }: Creation): boolean {
    return JSON.stringify(texts).includes(this.#marker)
  }

  #changesOf(url: string): Texts[] {
    return this.#changes.get(rowOfPath(url)) ?? []
  }

  async #removeShown(creation: Creation, id: number): Promise<string[]> {
    const url = rowUrl(creation.list, id)
    const shown = await this.#send({ method: 'GET', url, headers: creation.headers })
    // It is deleted already, or the server hides deleted rows.
    if (shown?.status === 404) return []
    const row = rowOf(shown)
    if (row !== null && this.#isOwn(row, creation, url)) {
      return this.#removeRow(creation, id, row)
    }
    // It is searched for, or a person must look at it.
    if (this.#isMarked(creation)) return []
    const cure = cureOf(creation.list)
    return row === null
      ? [`A row may be left: ${url}. ${cure}`]
      : [
          `A row may be left: ${url}. It has other texts than the scenario sent, so it was not changed. If nobody else created it: ${cure}`,
        ]
  }

  /** Removes the rows with the marker that are listed, also those of which the server denied the creation. */
  async #removeMarked(creation: Creation): Promise<string[]> {
    const { list, headers } = creation
    const parameters = new URLSearchParams({
      limit: '100',
      ...(isAnnotation(list) && { search: this.#marker }),
    })
    const body = rowOf(await this.#send({ method: 'GET', url: `${list}?${parameters}`, headers }))
    if (body === null || !Array.isArray(body.results)) return [describe(creation)]
    const left: string[] = []
    for (const row of body.results.filter(isObject)) {
      if (row.deleted === true || !JSON.stringify(row).includes(this.#marker)) continue
      // An object may have no text.
      const id = typeof row.id === 'object' ? Number.NaN : Number(row.id)
      const removal = Number.isInteger(id) && this.#removeRow(creation, id, row)
      left.push(...((await removal) || [describe(creation)]))
    }
    return left
  }

  /**
   * Removes a row. An annotation is soft-deleted. If the server shows it all the same, `DELETE` is tried, too.
   *
   * @returns a sentence if the row may be left. A server may confirm a removal that it does not make
   */
  async #removeRow({ list, headers }: Creation, id: number, row: Row): Promise<string[]> {
    const url = rowUrl(list, id)
    const left = [`A row may be left: ${url}. ${cureOf(list)}`]
    const isGone = async (): Promise<boolean> =>
      (await this.#send({ method: 'GET', url, headers }))?.status === 404
    if (isAnnotation(list) && row.deleted !== true) {
      const json = { ...headers, 'content-type': 'application/json' }
      const changed = await this.#send({ method: 'PATCH', url, headers: json, body: softDeletion })
      if (changed?.status === 404) return []
      if (rowOf(changed)?.deleted !== true) return left
    }
    if (isAnnotation(list) && (await isGone())) return []
    await this.#send({ method: 'DELETE', url, headers })
    if (await isGone()) return []
    if (!isAnnotation(list)) return left
    this.#softDeleted.set(url, { url, list, id })
    return []
  }

  /** @returns null without a response */
  async #send(request: SentRequest): Promise<ReceivedResponse | null> {
    const { authorization = '' } = request.headers
    const type = request.headers['content-type']
    const headers = {
      authorization,
      ...(request.body !== undefined && type && { 'content-type': type }),
    }
    const response = await this.#target?.send({ ...request, headers }).catch(() => null)
    const own = `Bearer ${this.#key?.value}`
    const isRefused = response?.status === 401 || response?.status === 403
    if (this.#key && isRefused && authorization !== own) {
      return this.#send({ ...request, headers: { ...headers, authorization: own } })
    }
    return response ?? null
  }
}

function textsOf(body: unknown): Texts {
  if (!isObject(body)) return {}
  return Object.fromEntries(
    textFields.flatMap((name) => ((body[name] ?? null) === null ? [] : [[name, body[name]]])),
  )
}

/** Whether the scenario sent a text of a row, or none if the row has none. */
function isSent(text: unknown, sent: readonly Texts[], name: (typeof textFields)[number]): boolean {
  const texts = sent.flatMap((each) => (name in each ? [each[name]] : []))
  if (texts.length > 0) return texts.some((each) => isSameJson(each, text))
  return text === undefined || text === null || text === ''
}

/** The row of a success. Null without one */
function rowOf(response: ReceivedResponse | null): Row | null {
  if (response === null || response.broken || response.status >= 300) return null
  const body = tryParseJson(response.text)?.value
  return isObject(body) ? body : null
}

function idOf(response: ReceivedResponse): number | null {
  const id = rowOf(response)?.id
  return Number.isInteger(id) ? (id as number) : null
}

function isAnnotation(url: string): boolean {
  return url.includes('/annotations')
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** The same row has several URLs: that of each project that shows it. */
function rowOfPath(url: string): string {
  return withoutSlash(url).split('/').slice(-2).join('/')
}

/** With a slash at its end if the list has one. */
function rowUrl(list: string, id: number): string {
  return `${withoutSlash(list)}/${id}${list.endsWith('/') ? '/' : ''}`
}

function describe({ list, texts }: Creation): string {
  const [text] = Object.values(texts)
  const hint = text === undefined ? '' : ` with the text ${JSON.stringify(text)}`
  return `A row may be left, which was not confirmed: ${list}${hint}. If the list has it: ${cureOf(list)}`
}

const softDeletion = '{"deleted": true}'

function cureOf(list: string): string {
  return `Remove it with ${isAnnotation(list) ? `PATCH and ${softDeletion}` : 'DELETE'}.`
}
