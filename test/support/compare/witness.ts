import type { Comparison } from '../../../src/compare/comparison.ts'
import { describeUndecided, describeUnexplained } from '../../../src/compare/sentences.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'

/** A request that a server got, and its response. */
interface Heard {
  /** As a comparison names it, without the key */
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Listens to what a comparison sends, and judges what it says by that. */
export class Witness {
  readonly #server: Pick<Simulator, 'fetch'>
  readonly #heard: Heard[] = []

  constructor(server: Pick<Simulator, 'fetch'>) {
    this.#server = server
  }

  readonly fetch: Simulator['fetch'] = async (input, init) => {
    const response = await this.#server.fetch(input, init)
    const { pathname, search } = new URL(String(input), 'http://localhost')
    this.#heard.push({
      method: init?.method ?? 'GET',
      path: pathname + search,
      sent: String(init?.body ?? ''),
      ...{ status: response.status, headers: response.headers },
      text: await response.clone().text(),
    })
    return response
  }

  /** The sentences of a comparison that what was heard contradicts. @param truth the values of the server */
  async untrueIn(
    { unexplained, settings, left, requests }: Comparison,
    truth: Readonly<Record<string, string | number>>,
  ): Promise<string[]> {
    const untrue: string[] = []
    if (requests !== this.#heard.length)
      untrue.push(`${requests} requests, not ${this.#heard.length}`)
    for (const what of unexplained) {
      const shows = toSign(what.part, what.got)
      const unseen = what.requests.filter((name) => !this.#answersTo(name).some(shows))
      const sentence = `${what.part} is ${describeUnexplained(what)}`
      untrue.push(...unseen.map((name) => `${sentence}: ${name}`))
    }
    for (const setting of settings) {
      const { id, open, advice } = setting
      const has405 = this.#heard.some(({ status }) => status === 405)
      const isUntrue =
        (open?.why === 'no_405' && open.came !== has405) ||
        (advice?.what === 'not_sent' && !this.#wasNotSent(advice)) ||
        (open?.why === 'none_fits' && id in truth) ||
        (open?.why === 'several_fit' && id in truth && !open.values.includes(truth[id] as string))
      if (isUntrue) untrue.push(`${id}: ${describeUndecided(setting)}`)
    }
    for (const sentence of left) {
      const [path] = /\/api\/\S+\/(?=[ ,.])/.exec(sentence) ?? []
      const headers = { authorization: 'Bearer phx_all' }
      const row = path && (await this.#server.fetch(path, { headers }))
      if (!(row && row.status === 200)) untrue.push(sentence)
    }
    return untrue
  }

  #answersTo(name: string): Heard[] {
    const [shown = ''] = name.split(/ without a key$| with (?:a wrong|the) key /)
    const [method = '', path = '', ...rest] = shown.split(' ')
    const [body] = rest.join(' ').split(' as ')
    const pattern = new RegExp(
      `^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}|TEXT/g, '[^/&]+')}$`,
    )
    const keys = [...(body ?? '').matchAll(/"(\w+)":/g)].map(([, key]) => `"${key}"`)
    return this.#heard.filter(
      (heard) =>
        heard.method === method &&
        pattern.test(heard.path) &&
        keys.every((key) => heard.sent.includes(key)),
    )
  }

  #wasNotSent({
    request,
    after,
  }: {
    readonly request: string
    readonly after: { readonly request: string; readonly status: number | null } | null
  }): boolean {
    const isSent = /\{id\}/.test(request) ? false : this.#answersTo(request).length > 0
    if (isSent || after === null || after.status === null) return !isSent
    return this.#answersTo(after.request).some(({ status }) => status === after.status)
  }
}

/** Whether an answer has a part as a comparison says it. */
function toSign(part: string, got: string): (heard: Heard) => boolean {
  const [kind = '', ...names] = part.split(/ |, | and /)
  return ({ status, headers, text }) => {
    switch (kind) {
      case 'status':
        return got === '2xx' ? status < 300 : got === `${status}`
      case 'header': {
        const value = headers.get(names[0] as string)
        if (got === 'present' || got === 'absent') return (value !== null) === (got === 'present')
        return names[0] === 'location' ? value !== null : value === got
      }
      case 'error':
        return status >= 400 && formOf(text) === got
      case 'field':
      case 'fields': {
        if (got !== 'present' && got !== 'absent') return text.includes(`"${names[0]}"`)
        return names.every((name) => {
          const isThere = text.includes(`"${name.split('.').at(-1)}":`)
          return isThere === (got === 'present')
        })
      }
      default:
        return true
    }
  }
}

/** What the body of an error is, in words. */
function formOf(text: string): string {
  if (text === '') return 'nothing'
  if (text.startsWith('<')) return 'an HTML page'
  const body: unknown = JSON.parse(text)
  const [first] = Array.isArray(body) ? body : [body]
  if (typeof first !== 'object') return 'a list'
  const names = Object.entries(first as object).map(([name, value]) => {
    if (typeof value !== 'object' || value === null) return name
    return `${name} (${Array.isArray(value) ? 'a list' : 'an object'})`
  })
  const form = `an object with ${names.sort().join(', ')}`
  return Array.isArray(body)
    ? `a list of objects with ${form.slice('an object with '.length)}`
    : form
}
