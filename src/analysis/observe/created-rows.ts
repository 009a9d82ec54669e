import type { SentRequest, Target } from '../../scenarios/run/target.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'

/** The rows that a scenario creates, which are removed after it. */
export class CreatedRows {
  readonly #removals: SentRequest[] = []
  /** URLs of lists in which a row may exist, although no response confirmed it. */
  readonly #unconfirmed: string[] = []
  #target: Target | null = null

  readonly watch = (target: Target): Target => {
    this.#target = target
    return {
      ...target,
      send: async (request, signal) => {
        const [url = ''] = request.url.split('?')
        const isCreation = request.method === 'POST'
        const response = await target.send(request, signal).catch((error) => {
          if (isCreation) this.#unconfirmed.push(url)
          throw error
        })
        const row = response.status === 201 ? tryParseJson(response.text)?.value : null
        if (isObject(row) && Number.isInteger(row.id)) {
          this.#removals.push(removalOf(`${url.replace(/\/$/, '')}/${row.id}/`, request.headers))
        } else if (isCreation && (response.broken || response.status === 201)) {
          this.#unconfirmed.push(url)
        }
        return response
      },
    }
  }

  /** @returns a sentence for each row that may be left */
  async remove(): Promise<string[]> {
    const left = this.#unconfirmed.map(
      (url) => `A row may be left, which was not confirmed: ${url}`,
    )
    for (const request of this.#removals) {
      const status = await this.#target?.send(request).then(
        (response) => response.status,
        () => 0,
      )
      if (![200, 204, 404].includes(status ?? 0)) left.push(`A row may be left: ${request.url}`)
    }
    return left
  }
}

function removalOf(url: string, { authorization = '' }: SentRequest['headers']): SentRequest {
  const headers = { authorization, 'content-type': 'application/json' }
  if (!url.includes('/annotations/')) return { method: 'DELETE', url, headers }
  return { method: 'PATCH', url, headers, body: '{"deleted": true}' }
}
