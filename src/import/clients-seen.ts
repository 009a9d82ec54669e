import { type Exchange, findHeader } from '../http/exchange.ts'

/** Requests whose keys tell their clients apart. */
interface ToldApart {
  readonly exchanges: readonly Exchange[]
  /** Which clients had one key, in sentences */
  readonly warnings: readonly string[]
}

/**
 * Gives the clients of one key a label each, as if they had a key each. They are pages of an archive, or else user agents,
 * that take turns: a page that sends its first request after the last one of another is the same client, loaded again.
 */
export function tellClientsApart(exchanges: readonly Exchange[]): ToldApart {
  const hasPages = exchanges.some(({ page }) => page !== undefined)
  const clientOf = ({ page, request }: Exchange): string | undefined =>
    hasPages ? page : findHeader(request.headers, 'user-agent')
  const labels = new Map<string, string>()
  const warnings: string[] = []
  for (const key of new Set(exchanges.flatMap((exchange) => exchange.key ?? []))) {
    const own = exchanges.filter((exchange) => exchange.key === key)
    for (const [at, names] of groupClients(own, clientOf).entries()) {
      if (at === 0) continue
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

/** The names of each client: one name after another, if they never take turns. */
function groupClients(
  exchanges: readonly Exchange[],
  clientOf: (exchange: Exchange) => string | undefined,
): (readonly string[])[] {
  const spans = new Map<string, { readonly from: number; until: number }>()
  for (const exchange of exchanges) {
    const [name, time] = [clientOf(exchange), Date.parse(exchange.at)]
    const span = name === undefined ? undefined : spans.get(name)
    if (span) span.until = Math.max(span.until, time)
    else if (name !== undefined) spans.set(name, { from: time, until: time })
  }
  const clients: { readonly names: string[]; until: number }[] = []
  for (const [name, { from, until }] of spans) {
    const same = clients.find((client) => client.until <= from)
    if (same) {
      same.names.push(name)
      same.until = until
    } else clients.push({ names: [name], until })
  }
  return clients.map(({ names }) => names)
}
