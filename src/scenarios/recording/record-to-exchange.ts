import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import {
  bodyLength,
  bodyText,
  isOmitted,
  type MessageBody,
  sentHeaders,
} from '../../http/messages.ts'
import { isBodyCut } from '../../simulator/faults/fault.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'

const brokenResponse: Exchange['response'] = { status: 0, headers: [], body: null }

/** A journal record as an exchange, with secrets as they were sent. */
export function recordToExchange(record: JournalRecord): Exchange {
  const { at, ms, method, url, requestHeaders, requestBody, response } = record
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url,
    request: {
      headers: [...requestHeaders.entries()],
      body:
        requestBody === null
          ? null
          : toExchangedBody(requestBody, requestHeaders.get('content-type')),
    },
    // The journal contains the whole body.
    response: isBodyCut(record, bodyLength(response.body) ?? 0)
      ? brokenResponse
      : {
          status: response.status,
          headers: Object.entries(sentHeaders(response)),
          body:
            method === 'HEAD'
              ? null
              : toExchangedBody(response.body, response.headers['content-type']),
        },
  }
}

function toExchangedBody(body: MessageBody, type?: string | null): ExchangedBody {
  if (isOmitted(body)) return body
  return ArrayBuffer.isView(body)
    ? bytesToExchangedBody(body, type ?? '')
    : { text: bodyText(body) }
}
