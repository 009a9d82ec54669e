import { bytesToExchangedBody, type Exchange } from '../../http/exchange.ts'
import { sandboxPrefix } from '../../http/url.ts'
import { isOmitted, type JournalRecord } from '../../sandbox/journal/record.ts'
import type { RenderedEntry } from '../../sandbox/journal/renderer.ts'
import { toExchange } from '../../sandbox/journal/to-har.ts'
import { utf8Length } from '../../utils/json-text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'

const brokenResponse: Exchange['response'] = { status: 0, headers: [], body: null }

/** Any origin, followed by the prefix of a sandbox. */
const sandboxUrl = new RegExp(`^([a-z]+://[^/]*)${sandboxPrefix}/[^/]+`)

/**
 * A journal entry as an exchange, with masked keys. The URL has no sandbox, so that it can be replayed in any.
 *
 * @param origin for requests without a Host header
 */
export function renderedToExchange(
  rendered: RenderedEntry,
  record: JournalRecord,
  origin: string,
): Exchange {
  const { url, ...exchange } = toExchange(rendered, origin)
  return {
    ...exchange,
    url: url.replace(sandboxUrl, '$1'),
    ...(isBodyCut(record) && { response: brokenResponse }),
  }
}

/**
 * A journal record as an exchange, with keys as they were sent.
 *
 * @param origin for requests without a Host header
 */
export function recordToExchange(record: JournalRecord, origin: string): Exchange {
  const { at, ms, method, target, requestHeaders, requestBody, response } = record
  const host = requestHeaders.get('host') ?? ''
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url: `${/^[\w.:[\]-]+$/.test(host) ? `http://${host}` : origin}${target}`,
    request: {
      headers: [...requestHeaders.entries()],
      body:
        typeof requestBody === 'string'
          ? { text: requestBody }
          : requestBody === null || isOmitted(requestBody)
            ? requestBody
            : bytesToExchangedBody(requestBody),
    },
    response: isBodyCut(record)
      ? brokenResponse
      : {
          status: response.status,
          headers: Object.entries(response.headers),
          body: 'omitted' in response ? { omitted: response.omitted } : { text: response.text },
        },
  }
}

/** Whether a fault broke the connection within the body. The journal contains the whole body. */
export function isBodyCut({ response, fault, method }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body' || method === 'HEAD') return false
  const length = 'omitted' in response ? response.omitted : utf8Length(response.text)
  const { drop, cut_bytes = length } = fault.effect as { drop?: true; cut_bytes?: number }
  return length > (drop ? Math.ceil(length / 2) : cut_bytes)
}
