import { isObject, tryParseJson } from '../utils/json.ts'
import type { Unseen } from './comparison.ts'
import { fillProbe, type ServerIds } from './fill-probe.ts'
import { OwnRows } from './own-rows.ts'
import { isCreation, type Probe } from './probes.ts'
import { Ended, type ProbeSender, type Received } from './sender.ts'
import { readSignature, type Signature } from './signature.ts'

/** Sends probes to a server, and removes the rows that they created. */
export class Player {
  readonly own: OwnRows
  readonly #url: string
  readonly #sender: ProbeSender
  readonly #ids: ServerIds
  readonly #hasSlash: boolean
  #rows: ReadonlyMap<string, string> = new Map()

  /** @param hasSlash whether paths end with a slash. Some servers refuse it */
  constructor(url: string, sender: ProbeSender, ids: ServerIds, hasSlash: boolean) {
    this.#url = url.replace(/\/+$/, '')
    this.#sender = sender
    this.#ids = ids
    this.#hasSlash = hasSlash
    const [label = ''] = Object.keys(ids.keys)
    this.own = new OwnRows({ ids, label, request: (probe, rows) => this.#send(probe, rows, true) })
  }

  /** @returns why nothing is concluded from a probe that cannot be sent, or got no response */
  async play(probe: Probe): Promise<Signature | Unseen> {
    if (this.#sender.end !== null) return { why: 'ended', got: null }
    const request = fillProbe(probe, this.#ids, this.#rows)
    if (request === null) return { why: 'not_sent', got: null }
    const rows = this.#rows
    let received = await this.#answer(probe)
    // A server that fails once may succeed the second time.
    if (isCreation(probe) && !this.#rows.has(probe.save as string)) {
      const second = await this.#answer(probe)
      if (this.#rows.has(probe.save as string)) received = second
    }
    if (received instanceof Ended) return received
    return readSignature({ probe, base: this.#url, values: request.values, rows, ...received })
  }

  async #answer(probe: Probe): Promise<Received | Ended> {
    const rows = this.#rows
    const { count } = this.#sender
    const received = await this.#send(probe, rows).catch((error) => {
      if (!(error instanceof Ended)) throw error
      return error
    })
    if (received instanceof Ended) {
      if (isCreation(probe) && this.#sender.count > count) await this.own.confirm(probe, null, null)
      return received
    }
    const id = probe.save === undefined ? null : savedId(received)
    const isSaved = isCreation(probe) ? await this.own.confirm(probe, received, id) : id !== null
    if (isSaved) this.#rows = new Map([...rows, [probe.save as string, id as string]])
    return received
  }

  /** @throws Ended */
  async #send(
    probe: Probe,
    rows: ReadonlyMap<string, string>,
    isRemoval = false,
  ): Promise<Received> {
    const request = fillProbe(probe, this.#ids, rows)
    if (request === null) throw new Ended('The server shows no organization.')
    const { method, path, headers, body } = request
    const shown = this.#hasSlash ? path : path.replace(/\/(?=$|\?)/, '')
    const init = { method, headers, ...(body !== undefined && { body }) }
    return this.#sender.send(this.#url + shown, init, isRemoval)
  }
}

/** The id of the row that a successful answer contains, or of the first row that it lists. Null if it has none */
function savedId({ status, text }: Received): string | null {
  const body = status < 300 ? tryParseJson(text)?.value : undefined
  const row = isObject(body) && Array.isArray(body.results) ? body.results[0] : body
  const id = isObject(row) ? row.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? `${id}` : null
}
